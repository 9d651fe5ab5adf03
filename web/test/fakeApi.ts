import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import * as z from 'zod/mini'
// The contract itself: in the product's code Vite replaces '@dubplate/contract' by the paths alone.
import * as contract from '../../contract/src/index.ts'
import { Refusal } from '../../server/src/platform/refusal.ts'
import { exampleOf } from './exampleOf.ts'
import { sampleOf } from './sampleOf.ts'

/**
 * Stands in for the server in component tests. Every call of the contract has an empty but valid reply from the start; a test
 * replaces the replies it is about. Inputs and replies are parsed with the contract's own schemas, so that a fake cannot drift
 * from the server: what does not fit fails the test.
 */

/** What every call may be refused with, beside the codes it declares. */
const COMMON_CODES = [
  'invalid_request',
  'not_signed_in',
  'session_expired',
  'forbidden',
  'rate_limited',
  'overloaded',
  'internal_error',
]

export type FakeRefusal = {
  code: string
  message: string
  /** HTTP status; the server's own for this code where it is left out. */
  status?: number
  /** A sentence for each wrong field. */
  fields?: Record<string, string>
  data?: unknown
}

type Part<E extends Endpoint> = Partial<ReplyOf<E>>
type Handler = (input: never) => unknown
type Request = { path: string; input: unknown; token: string | null }

const isCall = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'path' in value && 'reply' in value

const CALLS = new Map(
  Object.values(contract)
    .flatMap((module) => (typeof module === 'object' ? Object.values(module) : []))
    .filter(isCall)
    .map((call) => [call.path, call] as const),
)

class Refused {
  readonly refusal: FakeRefusal

  constructor(refusal: FakeRefusal) {
    this.refusal = refusal
  }
}

let handlers = new Map<string, Handler>()
let requests: Request[] = []
let faults: string[] = []
let isOffline = false
/** Calls that get no reply until they are released, each with what releases it. */
let held = new Map<string, { promise: Promise<void>; release: () => void }>()

const realFetch = window.fetch.bind(window)

/** A reply of this call that satisfies its schema, with empty lists and no text. */
const emptyReply = (call: Endpoint) => sampleOf(call.reply)

/** The contract's own entry for a call; the one that the product's code holds has a path and a method alone. */
function declared({ path }: { path: string }): Endpoint {
  const call = CALLS.get(path)
  if (!call) throw new Error(`The contract has no call ${path}.`)
  return call
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

/** The status the server answers this code with. */
const statusOf = (code: string) => new Refusal(code, '').status

function refuse(
  call: Endpoint,
  { code, message, fields, data = null, status = statusOf(code) }: FakeRefusal,
): Response {
  if (!COMMON_CODES.includes(code) && !call.refusals.includes(code))
    faults.push(`${call.path} does not declare the code ${code}.`)
  return json(status, {
    data,
    code,
    message,
    errors: Object.values(fields ?? { message }),
    ...(fields ? { fields } : {}),
  })
}

function parse(schema: z.ZodMiniType, value: unknown, what: string): unknown {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  faults.push(`${what} does not fit the contract: ${z.prettifyError(result.error)}`)
  return value
}

/** Refused before any handler runs, as on the server: a wrong input, and a call that needs a session. */
function refusalBefore(call: Endpoint, input: unknown, token: string | null): FakeRefusal | undefined {
  if (call.access !== 'public' && call.access !== 'browse' && !token)
    return { code: 'not_signed_in', message: 'Sign in to continue.' }
  const { success, error } = z.safeParse(call.input, input)
  if (success) return undefined
  const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]))
  return { code: 'invalid_request', message: error.issues[0]!.message, fields }
}

async function answer(url: URL, init: RequestInit): Promise<Response> {
  const call = CALLS.get(url.pathname.slice('/api/'.length))
  if (!call) {
    faults.push(`${url.pathname} is no call of the contract.`)
    return json(404, { code: 'unknown_endpoint', message: 'Unknown API endpoint.', data: null, errors: [] })
  }
  const { store_id, lang_code, ...query } = Object.fromEntries(url.searchParams)
  const input = init.method === 'POST' ? readBody(init.body) : query
  const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null
  requests.push({ path: call.path, input, token })
  await held.get(call.path)?.promise
  const before = call.body === 'multipart' ? undefined : refusalBefore(call, input, token)
  if (before) return refuse(call, before)
  const handler = handlers.get(call.path)
  try {
    const reply = handler ? await handler(input as never) : emptyReply(call)
    return json(200, { data: parse(call.reply, reply, `The fake reply of ${call.path}`) })
  } catch (error) {
    if (error instanceof Refused) return refuse(call, error.refusal)
    throw error
  }
}

const readBody = (body: BodyInit | null | undefined): unknown => {
  if (body instanceof FormData) return Object.fromEntries(body)
  return typeof body === 'string' ? JSON.parse(body) : {}
}

/** Ends as fetch does when its request is cancelled. */
const cancelled = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))

const fakeFetch: typeof fetch = async (target, init = {}) => {
  const url = new URL(target instanceof Request ? target.url : target, location.href)
  if (!url.pathname.startsWith('/api/')) return realFetch(target, init)
  if (isOffline) throw new TypeError('Failed to fetch')
  return Promise.race([answer(url, init), cancelled(init.signal)])
}

export const fakeApi = {
  /**
   * Has a call reply with this from now on. What is left out of a reply has an empty value. A function gets the input, and may
   * throw `refusal(…)`.
   */
  reply<E extends Endpoint>(call: E, reply: Part<E> | ((input: InputOf<E>) => Part<E> | Promise<Part<E>>)) {
    const known = declared(call)
    handlers.set(call.path, async (input) => {
      const part = typeof reply === 'function' ? await reply(input) : reply
      return { ...(emptyReply(known) as object), ...part }
    })
  },

  /** Has every call that a test says nothing about reply as in a pool in use, instead of with nothing. */
  fill() {
    for (const call of CALLS.values())
      if (!handlers.has(call.path)) handlers.set(call.path, () => exampleOf(call.reply))
  },

  /** Has a call refused from now on. */
  refuse(call: Endpoint, refusal: FakeRefusal) {
    declared(call)
    handlers.set(call.path, () => {
      throw new Refused(refusal)
    })
  },

  /** Keeps the replies of a call back until the function that is returned is called. */
  hold(call: Endpoint): () => void {
    let release = () => {}
    const promise = new Promise<void>((resolve) => {
      release = () => {
        held.delete(call.path)
        resolve()
      }
    })
    held.set(call.path, { promise, release })
    return release
  },

  /** The inputs of all requests of a call in this test, oldest first. */
  inputsOf: <E extends Endpoint>(call: E): InputOf<E>[] =>
    requests.filter(({ path }) => path === call.path).map(({ input }) => input as InputOf<E>),

  /** Cuts the network, or restores it, and tells the page, as a browser does. */
  setOffline(offline: boolean) {
    isOffline = offline
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !isOffline })
    dispatchEvent(new Event(offline ? 'offline' : 'online'))
  },

  install() {
    window.fetch = fakeFetch
  },

  /** Forgets everything of the last test; throws when one of its requests or replies did not fit the contract. */
  reset() {
    const found = faults
    for (const { release } of held.values()) release()
    if (isOffline) fakeApi.setOffline(false)
    handlers = new Map()
    held = new Map()
    requests = []
    faults = []
    if (found.length > 0) throw new Error(`The fake API found:\n${found.join('\n')}`)
  },
}

/** For a reply that is a function: throw it to refuse this one request. */
export const refusal = (refusal: FakeRefusal) => new Refused(refusal)
