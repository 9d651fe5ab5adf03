import type { Endpoint, ErrorReply, ReplyOf } from '@dubplate/contract'
import { ApiError, callUrl, OfflineError } from './api.ts'
import { endSession, useSession } from './session.ts'
import * as texts from './texts.ts'

/** A proxy in front of the pool has a limit of its own, and answers without the pool's words. */
const PROXY_ERRORS = {
  code: 'too_large',
  message: texts.theWebServerInFront,
}

/**
 * Sends files with a multipart call and answers with its data. `onProgress` is told the share that has gone out, 0 to 1,
 * which `fetch` cannot say. Throws a RefusalError when the server refuses, an OfflineError when it cannot be reached or
 * something else answers in its place.
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
      // A proxy in front of a server that is down answers for it, without the shape of a refusal.
      if (status === 502 || status === 504) return unreachable()
      const reply = (response ?? (status === 413 ? PROXY_ERRORS : {})) as Partial<ErrorReply>
      const apiError = new ApiError(status, reply)
      if (apiError.code === 'session_expired' && token) endSession(token)
      reject(apiError)
    })
    request.send(form)
  })
}

/** Null is what the browser makes of an answer that is no JSON. */
const isReply = <E extends Endpoint>(response: unknown): response is { data: ReplyOf<E> } =>
  typeof response === 'object' && response !== null && 'data' in response
