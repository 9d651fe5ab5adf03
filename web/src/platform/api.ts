import type { Endpoint, ErrorReply, InputOf, ReplyOf } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { confirmIdentity } from './confirmation.ts'
import { endSession, useSession } from './session.ts'
import * as texts from './texts.ts'

/** An error reply of the server: `message` is the text for the user, `errors` the same as a list. */
export class ApiError extends Error {
  override name = 'ApiError'
  code: string
  status: number
  errors: string[]
  fields: Record<string, string>
  /** Data of the error, such as the token for the next step. */
  data: unknown

  constructor(status: number, reply: Partial<ErrorReply>) {
    super(reply.message || format(texts.serverErrorMessage, { status }))
    this.status = status
    this.code = reply.code ?? 'internal_error'
    this.errors = reply.errors?.length ? reply.errors : [this.message]
    this.fields = reply.fields ?? {}
    this.data = reply.data ?? null
  }
}

/** A request that did not reach the server. */
export class OfflineError extends Error {
  override name = 'OfflineError'

  constructor() {
    super(navigator.onLine ? texts.cantReachTheServerTry : texts.youreOfflineTryAgainWhen)
  }
}

/** Repeating a request that was itself invalid would return the same error. */
export const isWorthRetrying = (error: Error) => !(error instanceof ApiError) || error.status >= 429

type CallOptions = {
  signal?: AbortSignal | undefined
  /** Sends this token, an applicant's, in place of the member's. */
  token?: string | undefined
  /** Called before staff have to confirm their identity. The request is repeated once they have. */
  onConfirm?: () => void
}

const STORE = 'store_id=1&lang_code=en'

/** The URL of a call, with the input of a GET call as its query. */
export function callUrl(call: Endpoint, input: object): string {
  const query = new URLSearchParams(STORE)
  if (call.method === 'GET') {
    for (const [name, value] of Object.entries(input)) if (value != null) query.set(name, String(value))
  }
  return `/api/${call.path}?${query}`
}

/** True while the page is being left: requests must then outlive it. */
let isUnloading = false
addEventListener('pagehide', () => (isUnloading = true), { capture: true })
addEventListener('pageshow', () => (isUnloading = false))

function buildRequest(call: Endpoint, input: object, { signal, token }: CallOptions): RequestInit {
  const headers: Record<string, string> = {}
  if (token) headers.authorization = `Bearer ${token}`
  if (call.method === 'GET') return { headers, signal }
  headers['content-type'] = 'application/json'
  return { method: 'POST', headers, body: JSON.stringify(input), signal, keepalive: isUnloading }
}

async function send(call: Endpoint, input: object, options: CallOptions): Promise<Response> {
  const url = callUrl(call, input)
  try {
    return await fetch(url, buildRequest(call, input, options))
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new OfflineError()
  }
}

async function readApiError(response: Response): Promise<ApiError> {
  const reply = (await response.json().catch(() => ({}))) as Partial<ErrorReply>
  return new ApiError(response.status, reply)
}

/**
 * Calls an endpoint of the contract and resolves with its data. Throws an `ApiError` for an error reply of the server,
 * and an `OfflineError` if the server cannot be reached.
 */
export async function callApi<E extends Endpoint>(
  call: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<ReplyOf<E>> {
  const { signal, token: tokenOverride, onConfirm } = options
  const token = tokenOverride ?? useSession.getState().token ?? undefined
  const response = await send(call, (input ?? {}) as object, { signal, token })
  if (!response.ok) {
    // When the server is down, a proxy in front of it replies without the shape of an `ApiError`.
    if (response.status === 502 || response.status === 504) throw new OfflineError()
    const apiError = await readApiError(response)
    if (apiError.code === 'session_expired' && token) endSession(token)
    if (apiError.code === 'confirm_identity') {
      onConfirm?.()
      if (await confirmIdentity(apiError.data)) return callApi(call, input, options)
    }
    throw apiError
  }
  const { data } = (await response.json()) as { data: ReplyOf<E> }
  return data
}
