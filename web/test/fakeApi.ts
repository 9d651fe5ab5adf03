import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import * as z from 'zod/mini'
// The contract itself: in the app's code, Vite reduces '@dubplate/contract' to the paths.
import { ERRORS, type ErrorCode, errorCodesOf } from '../../contract/src/errors.ts'
import * as contract from '../../contract/src/index.ts'
import { exampleOf } from './exampleOf.ts'
import { sampleOf } from './sampleOf.ts'

/**
 * Replaces the server in component tests. Every call of the contract has an empty but valid reply by default; a test
 * replaces the replies it needs. Inputs and replies are parsed with the contract's own schemas, so that a fake cannot
 * drift from the server: anything that does not match fails the test.
 */

export type FakeError = {
  code: ErrorCode
  message: string
  /** The HTTP status; by default the server's own for this code. */
  status?: number
  /** A message for each invalid field. */
  fields?: Record<string, string>
  data?: unknown
}

type PartialReply<E extends Endpoint> = Partial<ReplyOf<E>>
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

class FakeErrorResponse {
  readonly error: FakeError

  constructor(error: FakeError) {
    this.error = error
  }
}

let handlers = new Map<string, Handler>()
let requests: Request[] = []
let problems: string[] = []
let isOffline = false
/** Calls whose replies are held, each with the function that releases it. */
const heldReplies = new Map<string, { promise: Promise<void>; release: () => void }>()

const realFetch = window.fetch.bind(window)

/** A reply of this call that satisfies its schema, with empty lists and no text. */
const emptyReply = (call: Endpoint) => sampleOf(call.reply)

/** The contract's own entry for a call; the one in the app's code only has a path and a method. */
function assertDeclared({ path }: { path: string }): Endpoint {
  const call = CALLS.get(path)
  if (!call) throw new Error(`The contract has no call ${path}.`)
  return call
}

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

function rejectWith(
  call: Endpoint,
  { code, message, fields, data = null, status = ERRORS[code].status }: FakeError,
): Response {
  if (!errorCodesOf(call).has(code)) problems.push(`${call.path} does not declare the code ${code}.`)
  return json(status, {
    data,
    code,
    message,
    errors: Object.values(fields ?? { message }),
    ...(fields ? { fields } : {}),
  })
}

function parse(schema: z.ZodMiniType, value: unknown, description: string): unknown {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  problems.push(`${description} does not fit the contract: ${z.prettifyError(result.error)}`)
  return value
}

/** The error before any handler runs, as on the server: an invalid input, or a missing session. */
function findInputError(call: Endpoint, input: unknown, token: string | null): FakeError | undefined {
  if (call.access !== 'public' && call.access !== 'browse' && !token)
    return { code: call.access === 'staff' ? 'unknown_endpoint' : 'not_signed_in', message: 'Sign in to continue.' }
  const { success, error } = z.safeParse(call.input, input)
  if (success) return undefined
  const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), message]))
  return { code: 'invalid_request', message: error.issues[0]!.message, fields }
}

async function handleRequest(url: URL, init: RequestInit): Promise<Response> {
  const call = CALLS.get(url.pathname.slice('/api/'.length))
  if (!call) {
    problems.push(`${url.pathname} is no call of the contract.`)
    return json(404, { code: 'unknown_endpoint', message: 'Unknown API endpoint.', data: null, errors: [] })
  }
  const { store_id, lang_code, ...query } = Object.fromEntries(url.searchParams)
  const input = init.method === 'POST' ? readBody(init.body) : query
  const token = new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null
  requests.push({ path: call.path, input, token })
  await heldReplies.get(call.path)?.promise
  const earlyError = call.body === 'multipart' ? undefined : findInputError(call, input, token)
  if (earlyError) return rejectWith(call, earlyError)
  const handler = handlers.get(call.path)
  try {
    const reply = handler ? await handler(input as never) : emptyReply(call)
    return json(200, { data: parse(call.reply, reply, `The fake reply of ${call.path}`) })
  } catch (error) {
    if (error instanceof FakeErrorResponse) return rejectWith(call, error.error)
    throw error
  }
}

const readBody = (body: BodyInit | null | undefined): unknown => {
  if (body instanceof FormData) return Object.fromEntries(body)
  return typeof body === 'string' ? JSON.parse(body) : {}
}

/** Rejects like fetch when its request is aborted. */
const rejectOnAbort = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))

const fakeFetch: typeof fetch = async (target, init = {}) => {
  const url = new URL(target instanceof Request ? target.url : target, location.href)
  if (!url.pathname.startsWith('/api/')) return realFetch(target, init)
  if (isOffline) throw new TypeError('Failed to fetch')
  return Promise.race([handleRequest(url, init), rejectOnAbort(init.signal)])
}

export const fakeApi = {
  /**
   * Sets the reply of a call. Values left out of a reply are empty. A function gets the input, and may throw
   * `errorReply(…)`.
   */
  reply<E extends Endpoint>(
    call: E,
    reply: PartialReply<E> | ((input: InputOf<E>) => PartialReply<E> | Promise<PartialReply<E>>),
  ) {
    const known = assertDeclared(call)
    handlers.set(call.path, async (input) => {
      const overrides = typeof reply === 'function' ? await reply(input) : reply
      return { ...(emptyReply(known) as object), ...overrides }
    })
  },

  /** Uses sample replies, as in a pool in use, for every call without its own reply. */
  useSampleReplies() {
    for (const call of CALLS.values())
      if (!handlers.has(call.path)) handlers.set(call.path, () => exampleOf(call.reply))
  },

  /** Makes a call fail from now on. */
  rejectWith(call: Endpoint, error: FakeError) {
    assertDeclared(call)
    handlers.set(call.path, () => {
      throw new FakeErrorResponse(error)
    })
  },

  /** Holds the replies of a call until the returned function is called. */
  holdReply(call: Endpoint): () => void {
    let release = () => {}
    const promise = new Promise<void>((resolve) => {
      release = () => {
        heldReplies.delete(call.path)
        resolve()
      }
    })
    heldReplies.set(call.path, { promise, release })
    return release
  },

  /** Lets all replies arrive that are held, or that wait for the connection. */
  letRequestsFinish() {
    for (const { release } of heldReplies.values()) release()
    if (isOffline) fakeApi.setOffline(false)
  },

  /** The inputs of all requests of a call in this test, oldest first. */
  inputsOf: <E extends Endpoint>(call: E): InputOf<E>[] =>
    requests.filter(({ path }) => path === call.path).map(({ input }) => input as InputOf<E>),

  /** Simulates losing or restoring the connection, and notifies the page as a browser does. */
  setOffline(offline: boolean) {
    isOffline = offline
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => !isOffline })
    dispatchEvent(new Event(offline ? 'offline' : 'online'))
  },

  install() {
    window.fetch = fakeFetch
  },

  /** Removes everything from the last test; throws if one of its requests or replies did not match the contract. */
  reset() {
    const foundProblems = problems
    handlers = new Map()
    requests = []
    problems = []
    if (foundProblems.length > 0) throw new Error(`The fake API found:\n${foundProblems.join('\n')}`)
  },
}

/** For a reply function: throw it to reject this one request. */
export const errorReply = (error: FakeError) => new FakeErrorResponse(error)
