import type { Access, Endpoint, InputOf, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { type ErrorCode, errorCodesOf } from '@dubplate/contract/schemas/errors'
import { describeIssue } from '@dubplate/contract/schemas/field-errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'
import { acceptedEncoding, MIN_COMPRESSED_BYTES } from './compression.ts'
import { compressedForm, type Rendered, type SharedReplies } from './shared-replies.ts'
import { checkStorableText } from './storable-text.ts'

/** The services that handlers use, with the database of their request. */
type Services = { sql: unknown }

/** A request that was authorised and whose input was parsed. */
export type CallRequest<E extends Endpoint, Caller> = {
  input: ParsedInputOf<E>
  /** The current user: undefined only if the endpoint's access allows visitors. */
  caller: Caller | undefined
  /** The same, if the access requires a user. */
  member: Caller
  request: FastifyRequest
}

/** What a handler receives: the request, and the services and the database it uses. */
export type CallContext<E extends Endpoint, Caller, Ctx extends Services> = CallRequest<E, Caller> & {
  ctx: Ctx
  sql: Ctx['sql']
}

/**
 * What a staff endpoint leaves in the audit log: nothing because it only reads, entries, or nothing although it writes,
 * with the reason.
 */
type AuditDeclaration = 'reads' | 'records' | { unrecorded: string }

export type Call<Caller, Ctx extends Services> = {
  endpoint: Endpoint
  handle(ctx: Ctx, request: CallRequest<Endpoint, Caller>): Promise<unknown>
  /** Requests per minute from one network address; undefined for no limit. */
  perMinute: number | undefined
  alsoCheck: AlsoCheck<Endpoint, Caller, Ctx> | undefined
  /** Undefined only if the endpoint is not for staff. */
  audit: AuditDeclaration | undefined
}

export type CallOptions<E extends Endpoint, Caller, Ctx extends Services> = {
  perMinute?: number
  alsoCheck?: AlsoCheck<E, Caller, Ctx>
  audit?: AuditDeclaration
}

/**
 * Field checks that only the server can make. They also run when the contract has already rejected other fields, so
 * that all errors are reported at once; each receives the unvalidated input. Throws an ApiError that names fields.
 */
type AlsoCheck<E extends Endpoint, Caller, Ctx extends Services> = (
  rawFields: { [name in keyof ParsedInputOf<E>]?: unknown },
  context: Pick<CallContext<E, Caller, Ctx>, 'member' | 'ctx' | 'sql'>,
) => Promise<void>

/** Creates the `on` function for this type of caller and services; it declares a route: an endpoint and its handler. */
export const callsFor =
  <Caller, Ctx extends Services>() =>
  <E extends Endpoint>(
    endpoint: E,
    handle: (context: CallContext<E, Caller, Ctx>) => Promise<ReplyOf<E>>,
    options: CallOptions<E, Caller, Ctx> = {},
  ): Call<Caller, Ctx> => ({
    endpoint,
    handle: (ctx, request) => handle({ ...(request as CallRequest<E, Caller>), ctx, sql: ctx.sql }),
    perMinute: options.perMinute,
    alsoCheck: options.alsoCheck as Call<Caller, Ctx>['alsoCheck'],
    audit: options.audit,
  })

export type CallHandlers<Caller, Ctx extends Services> = {
  ctx: Ctx
  /** Returns the user of this token. Throws `session_expired` for a token that is no longer valid. */
  findCaller(token: string): Promise<Caller>
  /** Throws an ApiError unless this user may use this endpoint. */
  authorize(endpoint: Endpoint, caller: Caller | undefined): void
  /** Returns true if the reply is the same for everyone with this access, so that no token needs to be looked up. */
  isPublic(access: Access): boolean
  /** Runs an endpoint for this user, with the database it should use. */
  handle(call: Call<Caller, Ctx>, request: CallRequest<Endpoint, Caller>): Promise<unknown>
  shared: SharedReplies
  /** Changes whenever something replies depend on besides the data has changed. */
  edition(): number
  /** Called with each error code that the contract does not declare for the endpoint; the tests throw here. */
  onUndeclaredCode?: OnUndeclaredCode | undefined
}

export type OnUndeclaredCode = (endpoint: Endpoint, code: ErrorCode) => void

/**
 * Serves every endpoint of the modules: finds the caller, authorises, parses the input, runs the handler, parses the
 * reply.
 */
export function serveCalls<Caller, Ctx extends Services>(
  app: FastifyInstance,
  calls: readonly Call<Caller, Ctx>[],
  handlers: CallHandlers<Caller, Ctx>,
): void {
  for (const call of calls) {
    const { path, aliases, method } = call.endpoint
    const rate = call.perMinute ? { config: { rateLimit: { max: call.perMinute, timeWindow: '1 minute' } } } : {}
    for (const address of [path, ...aliases]) {
      app.route({
        method,
        url: `/api/${address}`,
        ...rate,
        handler: (request, reply) =>
          handleCall(call, handlers, request, reply).catch((error) => {
            checkCode(call.endpoint, error, handlers.onUndeclaredCode)
            throw error
          }),
      })
    }
  }
}

function checkCode(endpoint: Endpoint, error: unknown, onUndeclaredCode: OnUndeclaredCode | undefined): void {
  if (!onUndeclaredCode || !(error instanceof ApiError)) return
  if (!errorCodesOf(endpoint).has(error.code)) onUndeclaredCode(endpoint, error.code)
}

async function handleCall<Caller, Ctx extends Services>(
  call: Call<Caller, Ctx>,
  handlers: CallHandlers<Caller, Ctx>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  checkStore(request.query as Record<string, unknown>)
  const { endpoint } = call
  // Only GET input is in the URL, because URLs are logged and shared.
  const rawFields = endpoint.method === 'GET' ? (request.query as object) : ((request.body as object | null) ?? {})
  const isShared = endpoint.shared === true && !endpoint.isPersonal?.(rawFields) && handlers.isPublic(endpoint.access)
  const token = isShared ? undefined : tokenOf(endpoint, request)
  const caller = token === undefined ? undefined : await findCaller(handlers, endpoint.access, token)
  handlers.authorize(endpoint, caller)
  checkBody(endpoint, request)
  const input = await readInput(call, rawFields, { ctx: handlers.ctx, sql: handlers.ctx.sql, member: caller as Caller })
  const context = { input, caller, member: caller as Caller, request }
  reply.header('content-type', 'application/json; charset=utf-8')
  if (!isShared) return reply.header('cache-control', 'no-store').send(await renderReply(call, handlers, context))
  return sendShared(request, reply, await renderShared(call, handlers, context))
}

async function renderReply<Caller, Ctx extends Services>(
  call: Call<Caller, Ctx>,
  handlers: CallHandlers<Caller, Ctx>,
  context: CallRequest<Endpoint, Caller>,
): Promise<Buffer> {
  const data = call.endpoint.reply.parse(await handlers.handle(call, context))
  return Buffer.from(JSON.stringify({ data }))
}

const renderShared = <Caller, Ctx extends Services>(
  call: Call<Caller, Ctx>,
  handlers: CallHandlers<Caller, Ctx>,
  context: CallRequest<Endpoint, Caller>,
): Promise<Rendered> => {
  const { path, constant } = call.endpoint
  const render = () => renderReply(call, handlers, context)
  return constant
    ? handlers.shared.getConstant(path, render)
    : handlers.shared.getOrRender(`${handlers.edition()} ${path} ${JSON.stringify(context.input)}`, render)
}

/** Returns the reply of a shared endpoint as visitors get it. Throws the `ApiError` that they would get. */
export type ReadShared = <E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  request: FastifyRequest,
) => Promise<Rendered>

/** Creates a function that reads replies for a page, with the access check and the cache of requests. */
export const createSharedReader =
  <Caller, Ctx extends Services>(
    calls: readonly Call<Caller, Ctx>[],
    handlers: CallHandlers<Caller, Ctx>,
  ): ReadShared =>
  async (endpoint, rawInput, request) => {
    const call = calls.find((each) => each.endpoint === endpoint)
    if (!call || !endpoint.shared || endpoint.isPersonal?.(rawInput as object))
      throw new Error(`${endpoint.path} has no reply that is the same for everyone.`)
    handlers.authorize(endpoint, undefined)
    const { ctx } = handlers
    const member = undefined as Caller
    const input = await readInput(call, rawInput as object, { ctx, sql: ctx.sql, member })
    return renderShared(call, handlers, { input, caller: undefined, member, request })
  }

/** Forms are only accepted by endpoints that take files: a page of another site can send a form, but no JSON. */
function checkBody({ body }: Endpoint, request: FastifyRequest): void {
  const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false
  if (isForm === (body === 'multipart')) return
  throw new ApiError(
    'unsupported_media_type',
    isForm ? 'Send the request body as application/json.' : 'Send files as multipart/form-data.',
  )
}

/** A public endpoint continues without the user if their token has expired; every other endpoint fails. */
async function findCaller<Caller, Ctx extends Services>(
  handlers: CallHandlers<Caller, Ctx>,
  access: Access,
  token: string,
): Promise<Caller | undefined> {
  try {
    return await handlers.findCaller(token)
  } catch (error) {
    if (error instanceof ApiError && handlers.isPublic(access)) return undefined
    throw error
  }
}

/** Sends a rendered reply, compressed, or 304 if the client has it. */
export function sendShared(request: FastifyRequest, reply: FastifyReply, rendered: Rendered) {
  reply.header('etag', rendered.etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === rendered.etag) return reply.code(304).send()
  const encoding = rendered.bytes.length < MIN_COMPRESSED_BYTES ? undefined : acceptedEncoding(request)
  if (!encoding) return reply.send(rendered.bytes)
  return reply.header('content-encoding', encoding).send(compressedForm(rendered, encoding))
}

function checkStore(query: Record<string, unknown>): void {
  if (query.store_id !== undefined && query.store_id !== '1') {
    throw new ApiError('unknown_store', 'Unknown store_id. Use store_id=1.')
  }
}

/** The token of `Authorization: Bearer …`. */
export const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/**
 * The token of a request: in its header, in its JSON body or, for a form with files, in the query (specification, part
 * 7).
 */
function tokenOf({ body }: Endpoint, request: FastifyRequest): string | undefined {
  const bearer = bearerOf(request)
  if (bearer) return bearer
  const rawFields = (body === 'multipart' ? request.query : request.body) as { token?: unknown } | null | undefined
  return typeof rawFields?.token === 'string' && rawFields.token !== '' ? rawFields.token : undefined
}

/** Parses the input of an endpoint. Throws `invalid_request`, with a sentence for each invalid field. */
async function readInput<Caller, Ctx extends Services>(
  { endpoint, alsoCheck }: Call<Caller, Ctx>,
  rawFields: object,
  context: Parameters<AlsoCheck<Endpoint, Caller, Ctx>>[1],
) {
  checkStorableText(rawFields)
  const parsed = endpoint.input.safeParse(rawFields, { error: describeIssue })
  if (parsed.success) return parsed.data as ParsedInputOf<Endpoint>
  const fields: Record<string, string> = {}
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'body'] ??= issue.message
  const otherErrors = await alsoCheck?.(rawFields, context).then(() => undefined, fieldErrors)
  for (const [name, sentence] of Object.entries(otherErrors ?? {})) fields[name] ??= sentence
  const errors = Object.values(fields)
  throw new ApiError('invalid_request', errors[0] ?? 'The request couldn’t be read.', { fields, errors })
}

/** Returns the fields an error names. An error without fields concerns the request as a whole. */
function fieldErrors(error: unknown): Record<string, string> | undefined {
  if (error instanceof ApiError) return error.fields
  throw error
}
