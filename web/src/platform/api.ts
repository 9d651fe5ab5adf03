import type { Endpoint, ErrorReply, InputOf, ReplyOf } from '@dubplate/contract'
import { confirmIdentity } from './confirmation.ts'
import { takeEarlyResponse } from './earlyResponses.ts'
import { format } from './message.ts'
import { endSession, useSession } from './session.ts'
import * as texts from './texts.ts'

/** A call the server refused: `message` is the sentence for the person, `errors` the same as a list. */
export class ApiError extends Error {
  override name = 'RefusalError'
  code: string
  status: number
  errors: string[]
  fields: Record<string, string>
  /** What the server gave along: the token of a step that comes next. */
  data: unknown

  constructor(status: number, reply: Partial<ErrorReply>) {
    super(reply.message || format(texts.somethingWentWrongOnOur, { status }))
    this.status = status
    this.code = reply.code ?? 'internal_error'
    this.errors = reply.errors?.length ? reply.errors : [this.message]
    this.fields = reply.fields ?? {}
    this.data = reply.data ?? null
  }
}

/** A call that never reached the server. */
export class OfflineError extends Error {
  override name = 'OfflineError'

  constructor() {
    super(navigator.onLine ? texts.cantReachTheServerTry : texts.youreOfflineTryAgainWhen)
  }
}

/** The same question brings the same answer where the question was wrong. */
export const isWorthRetrying = (error: Error) => !(error instanceof ApiError) || error.status >= 429

type CallOptions = {
  signal?: AbortSignal | undefined
  /** Asks with this token, an applicant's, in place of the member's. */
  token?: string | undefined
  /** Called before staff are asked to confirm that it is them. The call is made again once they have. */
  onConfirm?: () => void
}

const STORE = 'store_id=1&lang_code=en'

/** Where a call goes, with what a GET call asks in it. */
export function callUrl(call: Endpoint, input: object): string {
  const query = new URLSearchParams(STORE)
  if (call.method === 'GET') {
    for (const [name, value] of Object.entries(input)) if (value != null) query.set(name, String(value))
  }
  return `/api/${call.path}?${query}`
}

/** The page is being left: what is told now goes out without it. */
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
    return (await takeEarlyResponse(url)) ?? (await fetch(url, buildRequest(call, input, options)))
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
 * Makes one call of the contract and answers with its data.
 * Throws a RefusalError when the server refuses, an OfflineError when it cannot be reached.
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
    // A proxy in front of a server that is down answers for it, without the shape of a refusal.
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
