import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { coverSvg } from '@dubplate/demo/cover'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { loadSharp } from '../platform/load-sharp.ts'
import { RecentBytes } from '../platform/recent-bytes.ts'
import { NotStoredError } from '../platform/storage.ts'
import { type GeneratedKind, generatedImage, type ListCover, type SongCover } from './images.ts'

const SIZES = ['96', '320', '640'] as const
type Size = (typeof SIZES)[number]

/** The side length of the picture in a downloaded file. */
const TAG_PIXELS = 500
/** For files whose tags have less room; about 20 kB. */
export const SMALL_TAG_PIXELS = 300
const MAX_PIXELS = 60_000_000

/** A SHA-256 for a stored picture; for a generated one its kind, its id and the hash of its text. */
const STORED_KEY = /^[0-9a-f]{64}$/
const GENERATED_KEY = /^(song|genre|list|top20|product)-(\d{1,9})-[0-9a-f]{8}$/

type JpegPicture = { mime: 'image/jpeg'; bytes: Buffer; width: number; height: number }

/** The text of a generated cover, and the input of the hash in its URL. */
export type CoverText = { title: string; seed: number; hashed: string }

/** Returns the text of a cover of another module; undefined if there is no such cover, or it is not public yet. */
export type FindCoverText = (ctx: AppContext, of: GeneratedKind, id: number) => Promise<CoverText | undefined>

/**
 * GET /images/…: a stored or generated picture in one of three sizes, cacheable forever. Throws `file_unavailable` for
 * every URL that the API does not return itself, so that nobody can fill the disk with arbitrary pictures.
 */
export function servePictures(app: FastifyInstance, ctx: AppContext, findCoverText: FindCoverText): void {
  app.get('/images/:key/:size.webp', async (request, reply) => {
    const { key, size } = request.params as { key: string; size: Size }
    if (!SIZES.includes(size) || !(STORED_KEY.test(key) || GENERATED_KEY.test(key))) throw pictureNotFoundError()
    const bytes = await readDerived(ctx, `${key}-${size}.webp`, async () =>
      loadSharp()(await readOriginal(ctx, key, findCoverText), { limitInputPixels: MAX_PIXELS, failOn: 'none' })
        .resize(Number(size), Number(size), { fit: 'cover' })
        .webp({ quality: size === '96' ? 82 : 80 })
        .toBuffer(),
    )
    if (STORED_KEY.test(key)) recheckPicture(ctx, key)
    return reply.type('image/webp').header('cache-control', 'public, max-age=31536000, immutable').send(bytes)
  })
}

const pictureNotFoundError = () => new ApiError('file_unavailable', 'Picture not found.')

/**
 * The cover for the tags of a downloaded file: the same bytes each time. A song whose own picture is missing from the
 * store gets its generated cover, so that the music can still be downloaded.
 */
export async function coverJpeg(ctx: AppContext, song: SongCover, pixels = TAG_PIXELS): Promise<JpegPicture> {
  const { artwork } = song
  const stored = artwork !== null && (await ctx.storage.has('images', artwork)) ? artwork : undefined
  const words = coverTextOfSong(song)
  const suffix = pixels === TAG_PIXELS ? 'tag' : `tag${pixels}`
  const key = `${stored ?? generatedKey('song', song.entity_id, words)}-${suffix}.jpg`
  const file = derivedFile(ctx, key)
  const bytes =
    tagCovers.find(file) ?? (await readDerived(ctx, key, () => drawTagCover(ctx, { stored, words, pixels })))
  tagCovers.add(file, bytes)
  return { mime: 'image/jpeg', bytes, width: pixels, height: pixels }
}

type TagCover = { stored: string | undefined; words: CoverText; pixels: number }

const drawTagCover = async (ctx: AppContext, { stored, words, pixels }: TagCover): Promise<Buffer> =>
  loadSharp()(stored ? await storedPicture(ctx, stored) : drawCoverSvg(words), {
    limitInputPixels: MAX_PIXELS,
    failOn: 'none',
  })
    .resize(pixels, pixels, { fit: 'cover' })
    .flatten({ background: '#000' })
    .jpeg({ quality: 85 })
    .toBuffer()

/**
 * The covers of the last downloads: a download is counted, and then fetched, in two requests. A song in demand is
 * downloaded by many at the same time.
 */
const MAX_TAG_COVER_BYTES = 4_000_000
const tagCovers = new RecentBytes(MAX_TAG_COVER_BYTES)

/** Deletes a stored picture and everything derived from it. */
export async function deletePicture({ config, storage }: AppContext, sha256: string): Promise<void> {
  await deleteDerived(config.dataDir, sha256)
  await storage.remove('images', sha256)
}

const RECHECK_MS = 10 * 60_000
const MAX_RECHECKED = 10_000
const checkedAt = new Map<string, number>()

/**
 * With a bucket, another machine may have deleted a picture without knowing what was derived from it here: the derived
 * files are deleted within ten minutes, after the next request for them.
 */
function recheckPicture(ctx: AppContext, sha256: string): void {
  const now = ctx.now().getTime()
  if (!ctx.config.bucket || now - (checkedAt.get(sha256) ?? 0) < RECHECK_MS) return
  if (checkedAt.size >= MAX_RECHECKED) checkedAt.clear()
  checkedAt.set(sha256, now)
  ctx.storage
    .has('images', sha256)
    .then((exists) => (exists ? undefined : deleteDerived(ctx.config.dataDir, sha256)))
    .catch((error) => ctx.log.error(error, 'Could not check whether a picture still exists'))
}

async function deleteDerived(dataDir: string, sha256: string): Promise<void> {
  const folder = derivedFolder(dataDir, sha256)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(`${sha256}-`)))
    await rm(path.join(folder, name), { force: true })
}

const derivedFolder = (dataDir: string, name: string): string =>
  path.join(dataDir, 'media', 'derived', name.slice(0, 8))

const derivedFile = ({ config }: Pick<AppContext, 'config'>, name: string): string =>
  path.join(derivedFolder(config.dataDir, name), name)

const pending = new Map<string, Promise<Buffer>>()

/** Returns a derived picture, cached on disk; simultaneous requests share one computation. */
export async function readDerived(ctx: AppContext, name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const file = derivedFile(ctx, name)
  const kept = await readFile(file).catch(() => undefined)
  if (kept) return kept
  const pendingFile = pending.get(file) ?? createDerived(ctx, file, make).finally(() => pending.delete(file))
  pending.set(file, pendingFile)
  return pendingFile
}

/** On a full disk the picture is still returned, but has to be computed again for the next request. */
async function createDerived(ctx: AppContext, file: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const bytes = await make()
  await keep(ctx, file, bytes).catch((error) => ctx.log.error(error, 'Could not store a generated picture'))
  return bytes
}

async function keep(ctx: AppContext, file: string, bytes: Buffer): Promise<void> {
  const temporary = await ctx.storage.scratch(path.basename(file))
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(temporary, bytes)
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function readOriginal(ctx: AppContext, key: string, findCoverText: FindCoverText): Promise<Buffer> {
  if (STORED_KEY.test(key)) return storedPicture(ctx, key)
  const [, of, id] = GENERATED_KEY.exec(key) ?? []
  const words = await coverTextOf(ctx, of as GeneratedKind, Number(id), findCoverText)
  if (!words || key !== generatedKey(of as GeneratedKind, Number(id), words)) throw pictureNotFoundError()
  return drawCoverSvg(words)
}

async function storedPicture({ storage }: AppContext, sha256: string): Promise<Buffer> {
  try {
    return await storage.readAll('images', sha256)
  } catch (error) {
    throw error instanceof NotStoredError ? pictureNotFoundError() : error
  }
}

/** A song without a cover gets one that is always the same for its title. */
const drawCoverSvg = ({ title, seed }: CoverText): Buffer =>
  Buffer.from(coverSvg(seed === 0 ? seedOf(title) : seed, { title }))

const generatedKey = (of: GeneratedKind, id: number, { hashed: hashedText }: CoverText): string =>
  generatedImage(of, id, hashedText).split('/')[2] ?? ''

const coverTextOfSong = ({ title, artist, cover_seed }: Omit<SongCover, 'artwork' | 'entity_id'>): CoverText => ({
  title,
  seed: cover_seed,
  hashed: `${title}${artist}${cover_seed}`,
})

/** The text of a generated cover; undefined when the song, genre or list does not exist or is not visible yet. */
async function coverTextOf(
  ctx: AppContext,
  of: GeneratedKind,
  id: number,
  findCoverText: FindCoverText,
): Promise<CoverText | undefined> {
  if (of === 'song') {
    const [song] = await ctx.sql<Omit<SongCover, 'artwork' | 'entity_id'>[]>`
      select title, artist, cover_seed from song where entity_id = ${id} and status <> 'draft'`
    return song && coverTextOfSong(song)
  }
  if (of !== 'genre') return findCoverText(ctx, of, id)
  const [genre] = await ctx.sql<CoverText[]>`
    select name as title, genre_id as seed, name as hashed from genre where genre_id = ${id}`
  return genre
}

type CoverFields = Omit<ListCover, 'artwork'>

/** The generated cover of a list that is not visible yet, for curators, as a data URL. */
export const generatedCoverDataUrl = ({ title, cover_seed }: CoverFields): string =>
  `data:image/svg+xml;base64,${drawCoverSvg({ title, seed: cover_seed, hashed: '' }).toString('base64')}`

const seedOf = (title: string): number =>
  [...title].reduce((hash, character) => (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 17)
