import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { coverSvg } from '@dubplate/demo/cover'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import type { Drawn } from './images.ts'

sharp.cache(false)
sharp.concurrency(1)

const SIZES = ['96', '320', '640'] as const
type Size = (typeof SIZES)[number]

/** The side of the picture inside a downloaded file. */
const TAG_PIXELS = 500
const LARGEST_PIXELS = 60_000_000

type Picture = { mime: 'image/jpeg'; bytes: Buffer; width: number; height: number }

/** GET /images/…: a stored or drawn picture at one of three sizes, cacheable for ever. */
export function servePictures(app: FastifyInstance, world: World): void {
  app.get('/images/:key/:size.webp', async (request, reply) => {
    const { key, size } = request.params as { key: string; size: Size }
    const isKnown =
      SIZES.includes(size) && (/^[0-9a-f]{64}$/.test(key) || /^(song|genre|list|top20)-\d+-[0-9a-f]{8}$/.test(key))
    if (!isKnown) throw new Refusal('file_unavailable', 'There is no such picture.')
    const bytes = await derived(world, `${key}-${size}.webp`, async () =>
      sharp(await original(world, key), { limitInputPixels: LARGEST_PIXELS, failOn: 'none' })
        .resize(Number(size), Number(size), { fit: 'cover' })
        .webp({ quality: size === '96' ? 82 : 80 })
        .toBuffer(),
    )
    return reply.type('image/webp').header('cache-control', 'public, max-age=31536000, immutable').send(bytes)
  })
}

/** The cover as it goes into the tags of a downloaded file: the same bytes each time. */
export async function coverJpeg(world: World, cover: { artwork: string | null; drawn: string }): Promise<Picture> {
  const key = cover.artwork ?? cover.drawn.split('/')[2] ?? ''
  const bytes = await derived(world, `${key}-tag.jpg`, async () =>
    sharp(await original(world, key), { limitInputPixels: LARGEST_PIXELS, failOn: 'none' })
      .resize(TAG_PIXELS, TAG_PIXELS, { fit: 'cover' })
      .flatten({ background: '#000' })
      .jpeg({ quality: 85 })
      .toBuffer(),
  )
  return { mime: 'image/jpeg', bytes, width: TAG_PIXELS, height: TAG_PIXELS }
}

const making = new Map<string, Promise<Buffer>>()

/** A picture made from another, kept on disk; those who come together wait for one making. */
async function derived(world: World, name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const file = path.join(world.config.dataDir, 'media', 'derived', name.slice(0, 8), name)
  const kept = await readFile(file).catch(() => undefined)
  if (kept) return kept
  const underWay = making.get(file) ?? makeAndKeep(world, file, make).finally(() => making.delete(file))
  making.set(file, underWay)
  return underWay
}

async function makeAndKeep(world: World, file: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const bytes = await make()
  const temporary = await world.storage.scratch(path.basename(file))
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(temporary, bytes)
  await rename(temporary, file)
  return bytes
}

async function original(world: World, key: string): Promise<Buffer> {
  if (/^[0-9a-f]{64}$/.test(key))
    return readFile(world.storage.path('images', key)).catch(() => Buffer.from(coverSvg(0, { title: '' })))
  const [of, id] = key.split('-')
  const words = await wordsOn(world, of as Drawn, Number(id))
  return Buffer.from(coverSvg(words.seed, { title: words.title }))
}

/** What stands on a drawn cover. Refuses `file_unavailable` for a thing that does not exist. */
async function wordsOn({ sql }: World, of: Drawn, id: number): Promise<{ title: string; seed: number }> {
  const query = {
    song: sql<{ title: string; seed: number }[]>`select title, cover_seed as seed from song where entity_id = ${id}`,
    genre: sql<
      { title: string; seed: number }[]
    >`select name as title, genre_id as seed from genre where genre_id = ${id}`,
    list: sql<
      { title: string; seed: number }[]
    >`select title, cover_seed as seed from curated_list where curated_list_id = ${id}`,
    top20: sql<
      { title: string; seed: number }[]
    >`select title, cover_seed as seed from top20 where top20_track_id = ${id}`,
  }[of]
  const [found] = await query
  if (!found) throw new Refusal('file_unavailable', 'There is no such picture.')
  return found.seed === 0 ? { ...found, seed: seedOf(found.title) } : found
}

/** A song without a cover gets one that is always the same for its title. */
const seedOf = (title: string): number =>
  [...title].reduce((hash, letter) => (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0, 17)
