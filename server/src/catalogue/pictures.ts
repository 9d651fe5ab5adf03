import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { coverSvg } from '@dubplate/demo/cover'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { NotStoredError } from '../platform/storage.ts'
import type { World } from '../world.ts'
import { type Drawn, generatedImage, hashedOfList, type ListCover, type SongCover } from './images.ts'
import { isShown } from './showing.ts'

sharp.cache(false)
sharp.concurrency(1)

const SIZES = ['96', '320', '640'] as const
type Size = (typeof SIZES)[number]

/** The side of the picture inside a downloaded file. */
const TAG_PIXELS = 500
const LARGEST_PIXELS = 60_000_000

/** A SHA-256 for a stored picture; for a drawn one what it stands for, its id and the hash of its words. */
const STORED = /^[0-9a-f]{64}$/
const DRAWN = /^(song|genre|list|top20|product)-(\d{1,9})-[0-9a-f]{8}$/

type Picture = { mime: 'image/jpeg'; bytes: Buffer; width: number; height: number }

/** What a drawn cover shows, and the words its address is a hash of. */
type Words = { title: string; seed: number; hashed: string }

/**
 * GET /images/…: a stored or drawn picture at one of three sizes, cacheable for ever. Refuses `file_unavailable` for
 * every address the pool does not give out itself, so that nobody fills the disk with pictures of their own counting.
 */
export function servePictures(app: FastifyInstance, world: World): void {
  app.get('/images/:key/:size.webp', async (request, reply) => {
    const { key, size } = request.params as { key: string; size: Size }
    if (!SIZES.includes(size) || !(STORED.test(key) || DRAWN.test(key))) throw noSuchPicture()
    const bytes = await derived(world, `${key}-${size}.webp`, async () =>
      sharp(await original(world, key), { limitInputPixels: LARGEST_PIXELS, failOn: 'none' })
        .resize(Number(size), Number(size), { fit: 'cover' })
        .webp({ quality: size === '96' ? 82 : 80 })
        .toBuffer(),
    )
    if (STORED.test(key)) lookAgain(world, key)
    return reply.type('image/webp').header('cache-control', 'public, max-age=31536000, immutable').send(bytes)
  })
}

const noSuchPicture = () => new Refusal('file_unavailable', 'Picture not found.')

/**
 * The cover as it goes into the tags of a downloaded file: the same bytes each time. A song whose own picture is missing
 * from the store has its drawn cover, so that the music can still be fetched.
 */
export async function coverJpeg(world: World, song: SongCover): Promise<Picture> {
  const { artwork } = song
  const stored = artwork !== null && (await world.storage.has('images', artwork)) ? artwork : undefined
  const words = wordsOnSong(song)
  const bytes = await derived(world, `${stored ?? drawnKey('song', song.entity_id, words)}-tag.jpg`, async () =>
    sharp(stored ? await storedPicture(world, stored) : draw(words), {
      limitInputPixels: LARGEST_PIXELS,
      failOn: 'none',
    })
      .resize(TAG_PIXELS, TAG_PIXELS, { fit: 'cover' })
      .flatten({ background: '#000' })
      .jpeg({ quality: 85 })
      .toBuffer(),
  )
  return { mime: 'image/jpeg', bytes, width: TAG_PIXELS, height: TAG_PIXELS }
}

/** Throws away the bytes of a stored picture, with all that was made from it. */
export async function forgetPicture({ config, storage }: World, sha256: string): Promise<void> {
  await forgetDerived(config.dataDir, sha256)
  await storage.remove('images', sha256)
}

const LOOK_AGAIN_MS = 10 * 60_000
const MOST_LOOKED_AT = 10_000
const lookedAt = new Map<string, number>()

/**
 * With a bucket, a picture may have been thrown away by another machine, which does not know what was made from it here:
 * that goes within ten minutes, once somebody has asked for it again.
 */
function lookAgain(world: World, sha256: string): void {
  const now = world.now().getTime()
  if (!world.config.bucket || now - (lookedAt.get(sha256) ?? 0) < LOOK_AGAIN_MS) return
  if (lookedAt.size >= MOST_LOOKED_AT) lookedAt.clear()
  lookedAt.set(sha256, now)
  world.storage
    .has('images', sha256)
    .then((there) => (there ? undefined : forgetDerived(world.config.dataDir, sha256)))
    .catch((error) => world.log.error(error, 'Could not check whether a picture still exists'))
}

async function forgetDerived(dataDir: string, sha256: string): Promise<void> {
  const folder = derivedFolder(dataDir, sha256)
  const made = await readdir(folder).catch(() => [])
  for (const name of made.filter((one) => one.startsWith(`${sha256}-`)))
    await rm(path.join(folder, name), { force: true })
}

const derivedFolder = (dataDir: string, name: string): string =>
  path.join(dataDir, 'media', 'derived', name.slice(0, 8))

const making = new Map<string, Promise<Buffer>>()

/** A picture made from another, kept on disk; those who come together wait for one making. */
export async function derived(world: World, name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const file = path.join(derivedFolder(world.config.dataDir, name), name)
  const kept = await readFile(file).catch(() => undefined)
  if (kept) return kept
  const underWay = making.get(file) ?? makeAndKeep(world, file, make).finally(() => making.delete(file))
  making.set(file, underWay)
  return underWay
}

/** A full disk costs the next one another making, nobody their picture. */
async function makeAndKeep(world: World, file: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const bytes = await make()
  await keep(world, file, bytes).catch((error) => world.log.error(error, 'Could not store a generated picture'))
  return bytes
}

async function keep(world: World, file: string, bytes: Buffer): Promise<void> {
  const temporary = await world.storage.scratch(path.basename(file))
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(temporary, bytes)
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

async function original(world: World, key: string): Promise<Buffer> {
  if (STORED.test(key)) return storedPicture(world, key)
  const [, of, id] = DRAWN.exec(key) ?? []
  const words = await wordsOn(world, of as Drawn, Number(id))
  if (!words || key !== drawnKey(of as Drawn, Number(id), words)) throw noSuchPicture()
  return draw(words)
}

async function storedPicture({ storage }: World, sha256: string): Promise<Buffer> {
  try {
    return await storage.readAll('images', sha256)
  } catch (error) {
    throw error instanceof NotStoredError ? noSuchPicture() : error
  }
}

/** A song without a cover gets one that is always the same for its title. */
const draw = ({ title, seed }: Words): Buffer => Buffer.from(coverSvg(seed === 0 ? seedOf(title) : seed, { title }))

const drawnKey = (of: Drawn, id: number, { hashed }: Words): string =>
  generatedImage(of, id, hashed).split('/')[2] ?? ''

const wordsOnSong = ({ title, artist, cover_seed }: Omit<SongCover, 'artwork' | 'entity_id'>): Words => ({
  title,
  seed: cover_seed,
  hashed: `${title}${artist}${cover_seed}`,
})

/** What stands on a drawn cover; undefined for a thing that does not exist or is not shown yet. */
async function wordsOn({ sql }: World, of: Drawn, id: number): Promise<Words | undefined> {
  if (of === 'song') {
    const [song] = await sql<Omit<SongCover, 'artwork' | 'entity_id'>[]>`
      select title, artist, cover_seed from song where entity_id = ${id} and status <> 'draft'`
    return song && wordsOnSong(song)
  }
  if (of === 'list' || of === 'top20') return wordsOnList(sql, of, id)
  const query = {
    genre: sql<Words[]>`select name as title, genre_id as seed, name as hashed from genre where genre_id = ${id}`,
    product: sql<Words[]>`
      select title, 0 as seed, title as hashed from merchandise
      where product_id = ${id} and image_src is null`,
  }[of]
  const [found] = await query
  return found
}

async function wordsOnList(sql: Sql, of: 'list' | 'top20', id: number): Promise<Words | undefined> {
  const [list] = await {
    list: sql<Cover[]>`
      select title, cover_seed from curated_list where curated_list_id = ${id} and ${isShown(sql)}`,
    top20: sql<Cover[]>`select title, cover_seed from top20 where top20_track_id = ${id} and ${isShown(sql)}`,
  }[of]
  return list && { title: list.title, seed: list.cover_seed, hashed: hashedOfList(list) }
}

type Cover = Omit<ListCover, 'artwork'>

/** The drawn cover of a list that nobody is shown yet, for those who compose it: an address that holds the picture. */
export const drawnInAddress = ({ title, cover_seed }: Cover): string =>
  `data:image/svg+xml;base64,${draw({ title, seed: cover_seed, hashed: '' }).toString('base64')}`

const seedOf = (title: string): number =>
  [...title].reduce((hash, letter) => (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 17)
