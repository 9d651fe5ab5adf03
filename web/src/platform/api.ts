import type { Endpoint, InputOf, RefusalReply, ReplyOf } from '@dubplate/contract'
import { confirmIdentity } from './confirmation.ts'
import { takeEarly } from './early.ts'
import { format } from './message.ts'
import { endSession, useSession } from './session.ts'
import * as texts from './texts.ts'

/** A call the server refused: `message` is the sentence for the person, `errors` the same as a list. */
export class RefusalError extends Error {
  override name = 'RefusalError'
  code: string
  status: number
  errors: string[]
  fields: Record<string, string>
  /** What the server gave along: the token of a step that comes next. */
  data: unknown

  constructor(status: number, reply: Partial<RefusalReply>) {
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
export const isWorthRetrying = (error: Error) => !(error instanceof RefusalError) || error.status >= 429

type AskOptions = {
  signal?: AbortSignal | undefined
  /** Asks with this token, an applicant's, in place of the member's. */
  token?: string | undefined
  /** Called before staff are asked to confirm that it is them. The call is made again once they have. */
  onConfirm?: () => void
}

const STORE = 'store_id=1&lang_code=en'

/** Where a call goes, with what a GET call asks in it. */
export function addressOf(call: Endpoint, input: object): string {
  const query = new URLSearchParams(STORE)
  if (call.method === 'GET') {
    for (const [name, value] of Object.entries(input)) if (value != null) query.set(name, String(value))
  }
  return `/api/${call.path}?${query}`
}

/** The page is being left: what is told now goes out without it. */
let isLeaving = false
addEventListener('pagehide', () => (isLeaving = true), { capture: true })
addEventListener('pageshow', () => (isLeaving = false))

function requestOf(call: Endpoint, input: object, { signal, token }: AskOptions): RequestInit {
  const headers: Record<string, string> = {}
  if (token) headers.authorization = `Bearer ${token}`
  if (call.method === 'GET') return { headers, signal }
  headers['content-type'] = 'application/json'
  return { method: 'POST', headers, body: JSON.stringify(input), signal, keepalive: isLeaving }
}

async function send(call: Endpoint, input: object, options: AskOptions): Promise<Response> {
  const address = addressOf(call, input)
  try {
    return (await takeEarly(address)) ?? (await fetch(address, requestOf(call, input, options)))
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new OfflineError()
  }
}

async function refusalOf(response: Response): Promise<RefusalError> {
  const reply = (await response.json().catch(() => ({}))) as Partial<RefusalReply>
  return new RefusalError(response.status, reply)
}

/**
 * Makes one call of the contract and answers with its data.
 * Throws a RefusalError when the server refuses, an OfflineError when it cannot be reached.
 */
export async function ask<E extends Endpoint>(
  call: E,
  input: InputOf<E>,
  options: AskOptions = {},
): Promise<ReplyOf<E>> {
  const { signal, token: given, onConfirm } = options
  const token = given ?? useSession.getState().token ?? undefined
  const response = await send(call, (input ?? {}) as object, { signal, token })
  if (!response.ok) {
    // A proxy in front of a server that is down answers for it, without the shape of a refusal.
    if (response.status === 502 || response.status === 504) throw new OfflineError()
    const refusal = await refusalOf(response)
    if (refusal.code === 'session_expired' && token) endSession(token)
    if (refusal.code === 'confirm_identity') {
      onConfirm?.()
      if (await confirmIdentity(refusal.data)) return ask(call, input, options)
    }
    throw refusal
  }
  const { data } = (await response.json()) as { data: ReplyOf<E> }
  return data
}
