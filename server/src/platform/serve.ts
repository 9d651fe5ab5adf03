import { randomUUID } from 'node:crypto'
import type { Access, Endpoint, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { errorCodesOf } from '@dubplate/contract/schemas/error-codes'
import { describeIssue } from '@dubplate/contract/schemas/field-errors'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseIsAway, databaseIsFull, statementTimedOut } from './db.ts'
import { outages } from './outage.ts'
import { Refusal } from './refusal.ts'
import { gzipped, type Rendered, type SharedReplies } from './shared-replies.ts'
import { checkStorableText } from './storable-text.ts'
import { NotStoredError, StoreAwayError } from './storage.ts'

/** What a call's function gets beside its parsed input. */
export type Question<E extends Endpoint, Asker> = {
  input: ParsedInputOf<E>
  /** Who asks: undefined only where the call's access lets visitors in. */
  asker: Asker | undefined
  /** The same, where the access demands somebody. */
  member: Asker
  request: FastifyRequest
}

export type Call<Asker> = {
  endpoint: Endpoint
  answer(question: Question<Endpoint, Asker>): Promise<unknown>
  /** Requests a minute from one address of the network; undefined for no limit. */
  perMinute: number | undefined
  alsoCheck: AlsoCheck<Endpoint, Asker> | undefined
}

/**
 * Checks of fields that only the server can make. They run when the contract has already refused other fields, so that
 * everything is said at once; each reads what was sent, of which nothing is known yet. Throws a Refusal that names fields.
 */
export type AlsoCheck<E extends Endpoint, Asker> = (
  given: { [name in keyof ParsedInputOf<E>]?: unknown },
  asker: Asker,
) => Promise<void>

/** Makes the `on` of a pool whose askers are of this type: one line of a room's routes, the call and what answers it. */
export const callsFor =
  <Asker>() =>
  <E extends Endpoint>(
    endpoint: E,
    answer: (question: Question<E, Asker>) => Promise<ReplyOf<E>>,
    options: { perMinute?: number; alsoCheck?: AlsoCheck<E, Asker> } = {},
  ): Call<Asker> => ({
    endpoint,
    answer: answer as Call<Asker>['answer'],
    perMinute: options.perMinute,
    alsoCheck: options.alsoCheck as Call<Asker>['alsoCheck'],
  })

export type Doors<Asker> = {
  /** Who holds this token. Throws Refusal `session_expired` for a token that is no longer good. */
  findAsker(token: string): Promise<Asker>
  /** Throws a Refusal unless this person may make this call. */
  admit(endpoint: Endpoint, asker: Asker | undefined): void
  /** True where a call of this access is the same for everybody, so that nobody's token needs to be looked up. */
  isOpen(access: Access): boolean
  /** Answers a call for this person; the call's own answer for nearly everybody. */
  answer(call: Call<Asker>, question: Question<Endpoint, Asker>): Promise<unknown>
  shared: SharedReplies
  /** Another number once what an answer is made of beside the data has changed. */
  edition(): number
  /** Called with each error code that the contract does not declare for the call; the tests throw here. */
  onUndeclaredCode?: OnUndeclaredCode | undefined
}

export type OnUndeclaredCode = (endpoint: Endpoint, code: string) => void

/** Puts every call of the rooms behind its address: who asks, may they, parse, answer, parse the reply. */
export function serveCalls<Asker>(app: FastifyInstance, calls: Call<Asker>[], doors: Doors<Asker>): void {
  for (const call of calls) {
    const { path, aliases, method } = call.endpoint
    const rate = call.perMinute ? { config: { rateLimit: { max: call.perMinute, timeWindow: '1 minute' } } } : {}
    for (const address of [path, ...aliases]) {
      app.route({
        method,
        url: `/api/${address}`,
        ...rate,
        handler: (request, reply) =>
          answerCall(call, doors, request, reply).catch((error) => {
            checkCode(call.endpoint, error, doors.onUndeclaredCode)
            throw error
          }),
      })
    }
  }
}

function checkCode(endpoint: Endpoint, error: unknown, onUndeclaredCode: OnUndeclaredCode | undefined): void {
  if (!onUndeclaredCode || !(error instanceof Refusal)) return
  if (!errorCodesOf(endpoint).has(error.code)) onUndeclaredCode(endpoint, error.code)
}

async function answerCall<Asker>(call: Call<Asker>, doors: Doors<Asker>, request: FastifyRequest, reply: FastifyReply) {
  checkStore(request.query as Record<string, unknown>)
  const { endpoint } = call
  // Only a GET call is asked in its address: what is in an address is logged and shared.
  const given = endpoint.method === 'GET' ? (request.query as object) : ((request.body as object | null) ?? {})
  const isShared = endpoint.shared === true && doors.isOpen(endpoint.access)
  const token = isShared ? undefined : tokenOf(endpoint, request)
  const asker = token === undefined ? undefined : await findAsker(doors, endpoint.access, token)
  doors.admit(endpoint, asker)
  checkBody(endpoint, request)
  const input = await readInput(call, given, asker as Asker)
  const question = { input, asker, member: asker as Asker, request }
  const render = async () => {
    const data = endpoint.reply.parse(await doors.answer(call, question))
    return Buffer.from(JSON.stringify({ data }))
  }
  reply.header('content-type', 'application/json; charset=utf-8')
  if (!isShared) return reply.header('cache-control', 'no-store').send(await render())
  return sendShared(
    request,
    reply,
    await doors.shared.take(`${doors.edition()} ${endpoint.path} ${JSON.stringify(input)}`, render),
  )
}

/** Files are sent to calls that take them, and to no others: a page of another site can send a form, but no JSON. */
function checkBody({ body }: Endpoint, request: FastifyRequest): void {
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
  if (isForm === (body === 'multipart')) return
  throw new Refusal(
    'unsupported_media_type',
    isForm ? 'Send the request body as application/json.' : 'Send files as multipart/form-data.',
  )
}

/** A public call goes on without the person when their token has ended; every other call says so. */
async function findAsker<Asker>(doors: Doors<Asker>, access: Access, token: string): Promise<Asker | undefined> {
  try {
    return await doors.findAsker(token)
  } catch (error) {
    if (error instanceof Refusal && doors.isOpen(access)) return undefined
    throw error
  }
}

function sendShared(request: FastifyRequest, reply: FastifyReply, rendered: Rendered) {
  reply.header('etag', rendered.etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === rendered.etag) return reply.code(304).send()
  const small = rendered.bytes.length < 1400
  if (small || !String(request.headers['accept-encoding'] ?? '').includes('gzip')) return reply.send(rendered.bytes)
  return reply.header('content-encoding', 'gzip').send(gzipped(rendered))
}

function checkStore(query: Record<string, unknown>): void {
  if (query.store_id !== undefined && query.store_id !== '1') {
    throw new Refusal('unknown_store', 'Unknown store_id. Use store_id=1.')
  }
}

/** The token of `Authorization: Bearer …`. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/** The token of a request: in its header, in its JSON body or, for a form of files, in the query (specification, part 7). */
function tokenOf({ body }: Endpoint, request: FastifyRequest): string | undefined {
  const bearer = bearerOf(request)
  if (bearer) return bearer
  const given = (body === 'multipart' ? request.query : request.body) as { token?: unknown } | null | undefined
  return typeof given?.token === 'string' && given.token !== '' ? given.token : undefined
}

/** Reads what was sent for a call. Refuses `invalid_request`, with a sentence for each field that is wrong. */
async function readInput<Asker>({ endpoint, alsoCheck }: Call<Asker>, given: object, asker: Asker) {
  checkStorableText(given)
  const parsed = endpoint.input.safeParse(given, { error: describeIssue })
  if (parsed.success) return parsed.data as ParsedInputOf<Endpoint>
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  const others = await alsoCheck?.(given, asker).then(() => undefined, fieldsRefused)
  for (const [name, sentence] of Object.entries(others ?? {})) fields[name] ??= sentence
  const errors = Object.values(fields)
  throw new Refusal('invalid_request', errors[0] ?? 'The request couldn’t be read.', { fields, errors })
}

/** The fields a refusal names. One that names none concerns the request once it can be read. */
function fieldsRefused(error: unknown): Record<string, string> | undefined {
  if (error instanceof Refusal) return error.fields
  throw error
}

/** Turns whatever went wrong into a refusal in words. What we do not understand is logged under a reference number. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalFor(error, request.log)
  tellWhen(refusal, reply)
  const { code, message, errors, fields, data } = refusal
  return reply
    .code(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ data, code, message, errors, ...(fields ? { fields } : {}) }))
}

const WAIT_SECONDS: Record<string, number> = {
  service_unavailable: 2,
  storage_unavailable: 10,
  insufficient_storage: 60,
}

/** When it makes sense to ask again. */
export function tellWhen({ code, retryAfter_seconds }: Refusal, reply: FastifyReply): void {
  const wait_seconds = retryAfter_seconds ?? WAIT_SECONDS[code]
  if (wait_seconds !== undefined) reply.header('retry-after', String(wait_seconds))
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])
const DISK_TROUBLE = new Set([...DISK_FULL, 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'ESTALE'])

/** PostgreSQL: numeric value out of range, character not in repertoire, the same within JSON. */
const IMPOSSIBLE = new Set(['22003', '22021', '22P05'])

/** PostgreSQL: a row is referred to that is not there, or one goes that is; another row has this value. */
const CROSSED = new Set(['23503', '23505'])

/** Whether the disk or the store failed, not what was asked of it. */
export const storeFailed = (error: unknown): boolean =>
  error instanceof StoreAwayError || databaseIsFull(error) || DISK_TROUBLE.has((error as { code?: string }).code ?? '')

const UNAVAILABLE = 'This site is temporarily unavailable. Try again in a few seconds.'

/** What is said of an error; one that we do not understand is logged under a reference number. */
export function refusalFor(error: unknown, log: Pick<FastifyBaseLogger, 'error'>): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (databaseIsFull(error) || DISK_FULL.has(code ?? '')) {
    outages.disk.failed(log, error)
    return new Refusal(
      'insufficient_storage',
      'The server’s disk is full, so this couldn’t be saved. You can still browse. Try again later.',
    )
  }
  if (statementTimedOut(error)) {
    log.error(error, 'A statement ran into its time limit.')
    return new Refusal('service_unavailable', 'This took too long and was stopped. Try again in a few seconds.')
  }
  if (databaseIsAway(error)) {
    outages.database.failed(log, error)
    return new Refusal('service_unavailable', UNAVAILABLE)
  }
  if (DISK_TROUBLE.has(code ?? '')) {
    outages.disk.failed(log, error)
    return new Refusal('service_unavailable', UNAVAILABLE)
  }
  if (error instanceof StoreAwayError) {
    outages.storage.failed(log, error)
    return new Refusal(
      'storage_unavailable',
      'Music and pictures are temporarily unavailable. Try again in a few seconds.',
    )
  }
  if (error instanceof NotStoredError) {
    log.error(error, 'File missing from storage')
    return new Refusal('file_unavailable', 'The file is missing on our side.')
  }
  if (IMPOSSIBLE.has(code ?? '')) return new Refusal('invalid_request', 'The request contains an invalid value.')
  if (CROSSED.has(code ?? '')) {
    log.error(error, 'Write conflict rejected by the database')
    return new Refusal('conflict', 'Someone else changed or deleted this at the same time. Reload to see the changes.')
  }
  if (statusCode === 429) return new Refusal('rate_limited', 'Too many requests. Try again in a minute.')
  if (statusCode === 413) return new Refusal('too_large', 'The request is too large.')
  if (statusCode === 415) return new Refusal('unsupported_media_type', 'Send the request body as application/json.')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Refusal('invalid_request', 'The request body isn’t valid JSON.')
  }
  const reference = randomUUID().slice(0, 8)
  log.error({ err: error, reference }, 'Request failed')
  return new Refusal(
    'internal_error',
    `Something went wrong on our side. If it happens again, contact support and quote ${reference}.`,
  )
}
