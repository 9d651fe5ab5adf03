import type { Endpoint, ErrorReply, ReplyOf } from '@dubplate/contract'
import { ApiError, callUrl, OfflineError } from './api.ts'
import { endSession, useSession } from './session.ts'
import * as texts from './texts.ts'

/** Messages for errors of a proxy in front of the pool, which has its own limits and messages. */
const PROXY_ERRORS = {
  code: 'too_large',
  message: texts.theWebServerInFront,
}

/**
 * Sends files with a multipart call and resolves with its data. `onProgress` is called with the part that has been
 * sent, 0 to 1, which `fetch` does not report. Throws an `ApiError` for an error reply of the server, and an
 * `OfflineError` if it cannot be reached or something else replies.
 */
export function upload<E extends Endpoint>(
  call: E,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<ReplyOf<E>> {
  const { token } = useSession.getState()
  const request = new XMLHttpRequest()
  request.open('POST', callUrl(call, {}))
  request.responseType = 'json'
  if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total ? loaded / total : 0))
  return new Promise((resolve, reject) => {
    const unreachable = () => reject(new OfflineError())
    request.addEventListener('error', unreachable)
    request.addEventListener('abort', unreachable)
    request.addEventListener('load', () => {
      const { status, response } = request
      if (status >= 200 && status < 300) return isReply<E>(response) ? resolve(response.data) : unreachable()
      // When the server is down, a proxy in front of it replies without the shape of an `ApiError`.
      if (status === 502 || status === 504) return unreachable()
      const reply = (response ?? (status === 413 ? PROXY_ERRORS : {})) as Partial<ErrorReply>
      const apiError = new ApiError(status, reply)
      if (apiError.code === 'session_expired' && token) endSession(token)
      reject(apiError)
    })
    request.send(form)
  })
}

/** The browser returns null for a response that is not JSON. */
const isReply = <E extends Endpoint>(response: unknown): response is { data: ReplyOf<E> } =>
  typeof response === 'object' && response !== null && 'data' in response
