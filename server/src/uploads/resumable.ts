import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { imports, uploads } from '@dubplate/contract'
import type { FileConfigstore, FileStore } from '@tus/file-store'
import type { Server, Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { type IncomingFile, rejectUnannounced } from '../imports/import-runs.ts'
import { receiveSentFile } from '../imports/uploaded-files.ts'
import { accessRules, authorize, type Caller, findCaller, requireSection } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { toApiError } from '../platform/error-replies.ts'
import { bearerOf } from '../platform/serve.ts'
import { rejectOverDailyLimit } from './analysis-usage.ts'
import { ingestUpload, rejectFullContainer, rejectSentBefore, rejectUnwanted, rejectWithoutRoom } from './intake.ts'

const { MAX_FILE_BYTES, RESUMABLE_PATH } = uploads

/** How long an incomplete file is kept so that its sender can resume. */
const RETENTION_DAYS = 3
const MAX_UNFINISHED = 20
const DAY_MS = 24 * 3600 * 1000

type TusStore = { store: FileStore; configs: FileConfigstore; folder: string }

const uploadsFolder = ({ config }: Pick<AppContext, 'config'>): string =>
  path.join(config.dataDir, 'media', 'unfinished')

/** The protocol's own store would create its folder in the background, and crash the process on failure. */
async function openTusStore(ctx: Pick<AppContext, 'config'>): Promise<TusStore> {
  const folder = uploadsFolder(ctx)
  await mkdir(folder, { recursive: true })
  const { FileConfigstore, FileStore } = await import('@tus/file-store')
  const configs = new FileConfigstore(folder)
  const store = new FileStore({
    directory: folder,
    configstore: configs,
    expirationPeriodInMilliseconds: RETENTION_DAYS * DAY_MS,
  })
  return { store, configs, folder }
}

/**
 * Returns the owner of an upload id: '7-0f9c…' belongs to member 7. 0 for anything else, including its metadata file
 * ('….json').
 */
const parseOwner = (uploadId: string): number => Number(/^(\d{1,15})-[0-9a-f-]{36}$/.exec(uploadId)?.[1])

const INFO_SUFFIX = '.json'

const removeFiles = async ({ folder }: TusStore, uploadId: string): Promise<void> => {
  const file = path.join(folder, uploadId)
  await rm(file, { force: true })
  await rm(`${file}${INFO_SUFFIX}`, { force: true })
}

/** The error response of the tus server. */
type TusError = { status_code: number; body: string }

const toTusError = ({ status, code, message, errors, data }: ApiError): TusError => ({
  status_code: status,
  body: JSON.stringify({ data, code, message, errors }),
})

/**
 * POST, HEAD, PATCH and DELETE under /api/upload/files: resumable uploads in chunks, by the tus protocol 1.0.0 with
 * creation, expiration and termination (https://tus.io/protocols/resumable-upload). Metadata: `filename`, and `sha256`
 * in hex, which detects a damaged file, and a known one before it is sent; for a folder that staff import also
 * `import_run_id` and `import_file`.
 */
export function serveResumable(app: FastifyInstance, ctx: AppContext): void {
  const callerStorage = new AsyncLocalStorage<Caller>()
  let opened: Server | undefined
  const open = async () => {
    opened ??= await createTusServer(ctx, await openTusStore(ctx), () => callerStorage.getStore() as Caller)
    return opened
  }
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = bearerOf(request)
    const caller = token === undefined ? undefined : await findCaller(ctx, token)
    // An upload that was started may be deleted, also if uploads have been hidden since.
    const isDelete = request.method === 'DELETE'
    // Staff use this endpoint for imports too: the purpose is known when the upload is created.
    const skipsLimits = isDelete || Boolean(caller?.staff_role)
    authorize({ access: 'member', ...(skipsLimits ? {} : { section: 'uploads' }) }, caller, accessRules(ctx))
    const tus = await open()
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
    reply.hijack()
    await callerStorage.run(caller as Caller, () => tus.handle(request.raw, reply.raw))
  }
  app.register(async (scope) => {
    // The protocol's handler reads the bytes itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [RESUMABLE_PATH, `${RESUMABLE_PATH}/:id`])
      scope.route({ method: ['POST', 'HEAD', 'PATCH', 'DELETE'], url, exposeHeadRoute: false, handler: handle })
  })
}

async function createTusServer(ctx: AppContext, tusStore: TusStore, getCaller: () => Caller): Promise<Server> {
  const { Server } = await import('@tus/server')
  const withErrorMapping = async <T>(what: () => Promise<T>): Promise<T> => {
    try {
      return await what()
    } catch (error) {
      throw error instanceof ApiError ? toTusError(error) : error
    }
  }
  return new Server({
    path: RESUMABLE_PATH,
    datastore: tusStore.store,
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: MAX_FILE_BYTES,
    namingFunction: () => `${getCaller().customer_id}-${randomUUID()}`,
    onIncomingRequest: async (request, uploadId) =>
      withErrorMapping(async () => {
        if (parseOwner(uploadId) !== getCaller().customer_id)
          throw new ApiError('unknown_upload', 'This upload has expired. Choose the file again.')
        // The disk may have become fuller since the upload was created.
        if (request.method === 'PATCH') await rejectWithoutRoom(ctx, Number(request.headers.get('content-length') ?? 0))
      }),
    onUploadCreate: async (_request, upload) =>
      withErrorMapping(async () => {
        await rejectUpload(ctx, tusStore, getCaller(), upload)
        return {}
      }),
    onUploadFinish: async (_request, upload) =>
      withErrorMapping(async () => {
        const uploadId = await finishUpload(ctx, tusStore, upload)
        return uploadId === undefined ? {} : { headers: { 'Upload-Id-Of-File': String(uploadId) } }
      }),
    onResponseError: (_request, error) => toTusResponse(ctx, error),
  })
}

const fileName = ({ metadata }: Upload): string => metadata?.filename ?? metadata?.name ?? ''
const sha256Of = ({ metadata }: Upload): string | undefined =>
  /^[0-9a-f]{64}$/i.test(metadata?.sha256 ?? '') ? metadata?.sha256?.toLowerCase() : undefined

/** Runs all checks that are possible before a byte is sent. */
async function rejectUpload(ctx: AppContext, { folder }: TusStore, caller: Caller, upload: Upload): Promise<void> {
  const customerId = caller.customer_id
  if (upload.size === undefined)
    throw new ApiError('invalid_request', 'Send the file size in the Upload-Length header.')
  rejectUnwanted(fileName(upload), upload.size)
  const importFile = parseImportFile(upload)
  if (importFile) await rejectImport(ctx, caller, importFile, upload)
  else await rejectForContainer(ctx, customerId, upload)
  const names = await readdir(folder).catch(() => [])
  const unfinishedIds = names.filter((name) => parseOwner(name) === customerId)
  if (unfinishedIds.length >= MAX_UNFINISHED) {
    throw new ApiError(
      'too_many_files',
      `You have ${unfinishedIds.length} unfinished uploads. Finish or cancel some first.`,
    )
  }
  await rejectWithoutRoom(ctx, upload.size)
}

async function rejectForContainer(ctx: AppContext, customerId: number, upload: Upload): Promise<void> {
  requireSection(accessRules(ctx), 'uploads')
  const sha256 = sha256Of(upload)
  if (sha256) await rejectSentBefore(ctx.sql, customerId, sha256)
  await rejectFullContainer(ctx.sql, customerId)
  await rejectOverDailyLimit(ctx.sql, customerId)
}

/** Returns which file of a staff import it is; undefined for a member's own. */
function parseImportFile({ metadata }: Upload): IncomingFile | undefined {
  const [run, file] = [Number(metadata?.import_run_id), Number(metadata?.import_file)]
  return Number.isSafeInteger(run) && Number.isSafeInteger(file) ? { import_run_id: run, import_file: file } : undefined
}

async function rejectImport(ctx: AppContext, caller: Caller, importFile: IncomingFile, upload: Upload): Promise<void> {
  authorize(imports.registerFiles, caller, accessRules(ctx))
  if (!sha256Of(upload)) throw new ApiError('invalid_request', 'Send the SHA-256 checksum of the file.')
  await rejectUnannounced(ctx.sql, importFile)
}

/**
 * Called after the last byte: moves the file to the container, or to its import, and deletes the protocol's files.
 * Returns its upload_id in the container.
 */
async function finishUpload(ctx: AppContext, tusStore: TusStore, upload: Upload): Promise<number | undefined> {
  const receivedFile = {
    customer_id: parseOwner(upload.id),
    path: path.join(tusStore.folder, upload.id),
    name: fileName(upload),
    sha256: sha256Of(upload),
  }
  try {
    const importFile = parseImportFile(upload)
    const uploadId = importFile
      ? await receiveSentFile(ctx, importFile, receivedFile)
      : await ingestUpload(ctx, receivedFile)
    await removeFiles(tusStore, upload.id)
    return uploadId ?? undefined
  } catch (error) {
    // A rejected file is deleted. One that could not be stored is kept, and taken in by the sweep.
    if (error instanceof ApiError) await removeFiles(tusStore, upload.id)
    throw error
  }
}

/** Turns server errors into the messages of other endpoints; the protocol's own errors are for programs. */
async function toTusResponse(ctx: AppContext, error: Error | TusError): Promise<TusError | undefined> {
  if (!('status_code' in error)) return toTusError(toApiError(error, ctx.log))
  if (error.status_code < 500) return undefined
  // An interrupted connection ends here as well.
  ctx.log.info({ message: error.body }, 'Upload chunk was not written completely')
  const isFull = await rejectWithoutRoom(ctx, 0).then(
    () => undefined,
    (apiError: unknown) => (apiError instanceof ApiError ? apiError : undefined),
  )
  return isFull ? toTusError(isFull) : undefined
}

/** A process may end between a file's last byte and the container: the file is then taken in later. */
const SETTLE_DELAY_MS = 60_000

/** Takes in complete files that were left behind, and deletes incomplete ones that were abandoned. */
export async function sweepUnfinishedUploads(ctx: AppContext): Promise<void> {
  if (!existsSync(uploadsFolder(ctx))) return
  const tusStore = await openTusStore(ctx)
  const names = await readdir(tusStore.folder)
  const ids = new Set(names.map((name) => path.basename(name, INFO_SUFFIX)))
  for (const id of ids) await sweepOne(ctx, tusStore, id)
}

async function sweepOne(ctx: AppContext, tusStore: TusStore, id: string): Promise<void> {
  const upload = await tusStore.store.getUpload(id).catch(() => undefined)
  const now = ctx.now().getTime()
  const touchedAt = await touchedAtOf(path.join(tusStore.folder, id))
  if (upload && upload.offset === upload.size) {
    // Its last byte may have arrived just now. A file that cannot be stored now is retried until it can.
    if (now - touchedAt > SETTLE_DELAY_MS) await ingestFinished(ctx, tusStore, upload)
    return
  }
  const startedAt = upload ? Date.parse(upload.creation_date ?? '') || touchedAt : touchedAt
  if (now - startedAt > RETENTION_DAYS * DAY_MS) await removeFiles(tusStore, id)
}

/** Returns when the file was last written, or its metadata if it has no file; now if it was deleted. */
async function touchedAtOf(file: string): Promise<number> {
  const fileStats = await stat(file).catch(() => stat(`${file}${INFO_SUFFIX}`).catch(() => undefined))
  return fileStats?.mtimeMs ?? Date.now()
}

const ingestFinished = async (ctx: AppContext, tusStore: TusStore, upload: Upload): Promise<void> => {
  await finishUpload(ctx, tusStore, upload).catch((error) => {
    if (error instanceof ApiError) ctx.log.info({ code: error.code }, 'Abandoned upload rejected')
    else ctx.log.warn(error, 'Could not process an abandoned upload')
  })
}
