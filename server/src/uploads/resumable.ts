import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { imports, uploads } from '@dubplate/contract'
import { FileConfigstore, FileStore } from '@tus/file-store'
import { Server, type Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Coming, refuseUnannounced } from '../imports/import-runs.ts'
import { takeInSent } from '../imports/sent-files.ts'
import { type Asker, admit, admitSection, doorRules, findAsker } from '../membership/asker.ts'
import { Refusal } from '../platform/refusal.ts'
import { bearerOf, refusalFor } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { refuseOverDailyLimit } from './analysis-usage.ts'
import { refuseFullContainer, refuseSentBefore, refuseUnwanted, refuseWithoutRoom, takeIn } from './intake.ts'

const { LARGEST_FILE_BYTES, RESUMABLE_PATH } = uploads

/** Half a file is kept so long for its sender to go on with. */
const KEPT_DAYS = 3
const MOST_UNFINISHED = 20
const DAY_MS = 24 * 3600 * 1000

type Unfinished = { store: FileStore; configs: FileConfigstore; folder: string }

const folderOf = ({ config }: Pick<World, 'config'>): string => path.join(config.dataDir, 'media', 'unfinished')

/** The store of the protocol would make its folder when nobody waits for it, and end the process where it cannot. */
async function openUnfinished(world: Pick<World, 'config'>): Promise<Unfinished> {
  const folder = folderOf(world)
  await mkdir(folder, { recursive: true })
  const configs = new FileConfigstore(folder)
  const store = new FileStore({
    directory: folder,
    configstore: configs,
    expirationPeriodInMilliseconds: KEPT_DAYS * DAY_MS,
  })
  return { store, configs, folder }
}

/** Whose upload an id is: '7-0f9c…' is member 7's. What is no whole id is nobody's, its notes ('….json') too. */
const ownerOf = (uploadId: string): number => Number(/^(\d{1,15})-[0-9a-f-]{36}$/.exec(uploadId)?.[1])

const NOTES = '.json'

const clear = async ({ folder }: Unfinished, uploadId: string): Promise<void> => {
  const file = path.join(folder, uploadId)
  await rm(file, { force: true })
  await rm(`${file}${NOTES}`, { force: true })
}

/** What a tus server answers with instead of going on. */
type TusError = { status_code: number; body: string }

const asTusError = ({ status, code, message, errors, data }: Refusal): TusError => ({
  status_code: status,
  body: JSON.stringify({ data, code, message, errors }),
})

/**
 * POST, HEAD, PATCH and DELETE under /api/upload/files: files in chunks that go on after a broken connection, by the tus
 * protocol 1.0.0 with creation, expiration and termination (https://tus.io/protocols/resumable-upload). Metadata:
 * `filename`, and `sha256` in hex, by which a damaged file is noticed, and one that is here already before it is sent; of
 * a folder that staff import `import_run_id` and `import_file` as well.
 */
export function serveResumable(app: FastifyInstance, world: World): void {
  const asking = new AsyncLocalStorage<Asker>()
  let opened: Server | undefined
  const open = async () => {
    opened ??= makeTusServer(world, await openUnfinished(world), () => asking.getStore() as Asker)
    return opened
  }
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const token = bearerOf(request)
    const asker = token === undefined ? undefined : await findAsker(world, token)
    // What was begun may be thrown away, also where uploads were left out since.
    const isWithdrawn = request.method === 'DELETE'
    // Staff send imports by this door as well: what it is for is known when it is announced.
    const isFree = isWithdrawn || Boolean(asker?.staff_role)
    admit({ access: 'member', ...(isFree ? {} : { section: 'uploads' }) }, asker, doorRules(world))
    const tus = await open()
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '')
    reply.hijack()
    await asking.run(asker as Asker, () => tus.handle(request.raw, reply.raw))
  }
  app.register(async (door) => {
    // The bytes are read by the protocol, not by us.
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [RESUMABLE_PATH, `${RESUMABLE_PATH}/:id`])
      door.route({ method: ['POST', 'HEAD', 'PATCH', 'DELETE'], url, exposeHeadRoute: false, handler: handle })
  })
}

function makeTusServer(world: World, unfinished: Unfinished, whoAsks: () => Asker): Server {
  const refusing = async <T>(what: () => Promise<T>): Promise<T> => {
    try {
      return await what()
    } catch (error) {
      throw error instanceof Refusal ? asTusError(error) : error
    }
  }
  return new Server({
    path: RESUMABLE_PATH,
    datastore: unfinished.store,
    relativeLocation: true,
    allowedOrigins: [],
    maxSize: LARGEST_FILE_BYTES,
    namingFunction: () => `${whoAsks().customer_id}-${randomUUID()}`,
    onIncomingRequest: async (request, uploadId) =>
      refusing(async () => {
        if (ownerOf(uploadId) !== whoAsks().customer_id)
          throw new Refusal('unknown_upload', 'This upload has expired. Choose the file again.')
        // The disk may have filled since the file was announced.
        if (request.method === 'PATCH')
          await refuseWithoutRoom(world, Number(request.headers.get('content-length') ?? 0))
      }),
    onUploadCreate: async (_request, upload) =>
      refusing(async () => {
        await refuseUpload(world, unfinished, whoAsks(), upload)
        return {}
      }),
    onUploadFinish: async (_request, upload) =>
      refusing(async () => {
        const uploadId = await finish(world, unfinished, upload)
        return uploadId === undefined ? {} : { headers: { 'Upload-Id-Of-File': String(uploadId) } }
      }),
    onResponseError: (_request, error) => explain(world, error),
  })
}

const nameOf = ({ metadata }: Upload): string => metadata?.filename ?? metadata?.name ?? ''
const sha256Of = ({ metadata }: Upload): string | undefined =>
  /^[0-9a-f]{64}$/i.test(metadata?.sha256 ?? '') ? metadata?.sha256?.toLowerCase() : undefined

/** All that can be refused before a byte is sent. */
async function refuseUpload(world: World, { folder }: Unfinished, asker: Asker, upload: Upload): Promise<void> {
  const customerId = asker.customer_id
  if (upload.size === undefined) throw new Refusal('invalid_request', 'Send the file size in the Upload-Length header.')
  refuseUnwanted(nameOf(upload), upload.size)
  const coming = comingOf(upload)
  if (coming) await refuseImport(world, asker, coming, upload)
  else await refuseForContainer(world, customerId, upload)
  const names = await readdir(folder).catch(() => [])
  const begun = names.filter((name) => ownerOf(name) === customerId)
  if (begun.length >= MOST_UNFINISHED) {
    throw new Refusal('too_many_files', `You have ${begun.length} unfinished uploads. Finish or cancel some first.`)
  }
  await refuseWithoutRoom(world, upload.size)
}

async function refuseForContainer(world: World, customerId: number, upload: Upload): Promise<void> {
  admitSection(doorRules(world), 'uploads')
  const sha256 = sha256Of(upload)
  if (sha256) await refuseSentBefore(world.sql, customerId, sha256)
  await refuseFullContainer(world.sql, customerId)
  await refuseOverDailyLimit(world.sql, customerId)
}

/** A file of a folder that staff import, and which; undefined for a member's own. */
function comingOf({ metadata }: Upload): Coming | undefined {
  const [run, file] = [Number(metadata?.import_run_id), Number(metadata?.import_file)]
  return Number.isSafeInteger(run) && Number.isSafeInteger(file) ? { import_run_id: run, import_file: file } : undefined
}

async function refuseImport(world: World, asker: Asker, coming: Coming, upload: Upload): Promise<void> {
  admit(imports.announceFiles, asker, doorRules(world))
  if (!sha256Of(upload)) throw new Refusal('invalid_request', 'Send the SHA-256 checksum of the file.')
  await refuseUnannounced(world.sql, coming)
}

/**
 * The last byte is here: the file goes into the container, or to the import it is of, and what the protocol kept of it goes.
 * Answers with its number in the container.
 */
async function finish(world: World, unfinished: Unfinished, upload: Upload): Promise<number | undefined> {
  const arrived = {
    customer_id: ownerOf(upload.id),
    path: path.join(unfinished.folder, upload.id),
    name: nameOf(upload),
    sha256: sha256Of(upload),
  }
  try {
    const coming = comingOf(upload)
    const uploadId = coming ? await takeInSent(world, coming, arrived) : await takeIn(world, arrived)
    await clear(unfinished, upload.id)
    return uploadId ?? undefined
  } catch (error) {
    // What is refused goes. What our side could not keep stays, and is taken in by the sweep.
    if (error instanceof Refusal) await clear(unfinished, upload.id)
    throw error
  }
}

/** What went wrong on our side, in the words of every other call; the protocol's own errors are programs' business. */
async function explain(world: World, error: Error | TusError): Promise<TusError | undefined> {
  if (!('status_code' in error)) return asTusError(refusalFor(error, world.log))
  if (error.status_code < 500) return undefined
  // A line that broke ends here as well.
  world.log.info({ message: error.body }, 'Upload chunk was not written completely')
  const isFull = await refuseWithoutRoom(world, 0).then(
    () => undefined,
    (refusal: unknown) => (refusal instanceof Refusal ? refusal : undefined),
  )
  return isFull ? asTusError(isFull) : undefined
}

/** A process may end between a file's last byte and its place in the container: it is taken in later. */
const SETTLED_MS = 60_000

/** Takes in whole files that were left behind, and throws away halves nobody went on with. */
export async function sweepUnfinished(world: World): Promise<void> {
  if (!existsSync(folderOf(world))) return
  const unfinished = await openUnfinished(world)
  const names = await readdir(unfinished.folder)
  const ids = new Set(names.map((name) => path.basename(name, NOTES)))
  for (const id of ids) await sweepOne(world, unfinished, id)
}

async function sweepOne(world: World, unfinished: Unfinished, id: string): Promise<void> {
  const upload = await unfinished.store.getUpload(id).catch(() => undefined)
  const now = world.now().getTime()
  const touchedAt = await touchedAtOf(path.join(unfinished.folder, id))
  if (upload && upload.offset === upload.size) {
    // Its last byte may have come this very moment. What cannot be kept now is tried again, for as long as it takes.
    if (now - touchedAt > SETTLED_MS) await takeInLate(world, unfinished, upload)
    return
  }
  const begunAt = upload ? Date.parse(upload.creation_date ?? '') || touchedAt : touchedAt
  if (now - begunAt > KEPT_DAYS * DAY_MS) await clear(unfinished, id)
}

/** When a byte of it was last written, or of its notes where it has no file; now where it is gone. */
async function touchedAtOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => stat(`${file}${NOTES}`).catch(() => undefined))
  return found?.mtimeMs ?? Date.now()
}

const takeInLate = async (world: World, unfinished: Unfinished, upload: Upload): Promise<void> => {
  await finish(world, unfinished, upload).catch((error) => {
    if (error instanceof Refusal) world.log.info({ code: error.code }, 'Abandoned upload rejected')
    else world.log.warn(error, 'Could not process an abandoned upload')
  })
}
