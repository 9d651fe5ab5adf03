import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { catalogue } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { generatedImage, listImage } from './images.ts'
import { coverJpeg } from './pictures.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const get = (url: string) => pool.app.inject({ method: 'GET', url })
const keptPictures = () => {
  const folder = path.join(pool.ctx.config.dataDir, 'media', 'derived')
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.')) : []
}
const imageOf = async (entity_id: number) => (await pool.ask(catalogue.getSong, { entity_id })).song.image
const coverSong = { artwork: null, entity_id: 700, title: 'Afterglow', artist: 'Mara Voss', cover_seed: 3 }
const noPicture = 'f'.repeat(64)

test('serves the generated cover of a song, a genre, a list and a top 20 at the URL from the API', async () => {
  const { sql } = pool.ctx
  const song = await aSong(pool.ctx)
  const genre = await aGenre(pool.ctx, 'Picture House')
  const [list] = await sql<{ id: number }[]>`
    insert into curated_list (title, created_by) values ('Warm-up', 'Staff') returning curated_list_id as id`
  const [top] = await sql<{ id: number }[]>`insert into top20 (title) values ('June') returning top20_track_id as id`
  const addresses = [
    await imageOf(song.entity_id),
    generatedImage('genre', genre, 'Picture House'),
    listImage('list', list?.id ?? 0, { artwork: null, title: 'Warm-up', cover_seed: 0 }),
    listImage('top20', top?.id ?? 0, { artwork: null, title: 'June', cover_seed: 0 }),
  ]
  for (const address of addresses) {
    const picture = await get(address)
    expect([address, picture.statusCode, picture.headers['content-type']]).toEqual([address, 200, 'image/webp'])
  }
})

test('refuses a URL that the API did not return, and leaves nothing on disk', async () => {
  const song = await aSong(pool.ctx)
  const before = keptPictures().length
  const madeUp = [
    `/images/song-${song.entity_id}-00000000/320.webp`,
    `/images/song-${song.entity_id}-ffffffff/96.webp`,
    `/images/${noPicture}/320.webp`,
    '/images/song-999999-00000000/320.webp',
    '/images/song-99999999999-00000000/320.webp',
    (await imageOf(song.entity_id)).replace('/320.', '/321.'),
  ]
  for (const address of madeUp) expect([address, (await get(address)).statusCode]).toEqual([address, 404])
  expect(keptPictures()).toHaveLength(before)
})

test('returns 404 for the old URL of a renamed song’s cover', async () => {
  const song = await aSong(pool.ctx)
  const old = await imageOf(song.entity_id)
  await pool.ctx.sql`update song set title = 'Another title' where entity_id = ${song.entity_id}`
  expect((await get(old)).statusCode).toBe(404)
  expect((await get(await imageOf(song.entity_id))).statusCode).toBe(200)
})

test('serves no image of an unpublished list, even if its text is known', async () => {
  const { sql } = pool.ctx
  const song = await aSong(pool.ctx)
  const address = await imageOf(song.entity_id)
  await sql`update song set status = 'draft' where entity_id = ${song.entity_id}`
  expect((await get(address)).statusCode).toBe(404)
  const [list] = await sql<{ id: number }[]>`
    insert into curated_list (title, created_by, published_at) values ('Soon', 'Staff', now() + interval '1 day')
    returning curated_list_id as id`
  const cover = listImage('list', list?.id ?? 0, { artwork: null, title: 'Soon', cover_seed: 0 })
  expect((await get(cover)).statusCode).toBe(404)
})

test('keeps the image of an unpublished song for members who have it in their history', async () => {
  const { entity_id } = await aSong(pool.ctx)
  const cover = await imageOf(entity_id)
  await pool.ctx.sql`update song set status = 'unpublished', unpublished_at = now() where entity_id = ${entity_id}`
  expect((await get(cover)).statusCode).toBe(200)
})

test('uses the stored picture as a download’s cover, and the generated one when it is missing', async () => {
  const blue = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer()
  const { sha256 } = await pool.ctx.storage.putBytes('images', blue)
  const drawn = await coverJpeg(pool.ctx, coverSong)
  const stored = await coverJpeg(pool.ctx, { ...coverSong, artwork: sha256 })
  expect(drawn).toMatchObject({ mime: 'image/jpeg', width: 500, height: 500 })
  expect(stored.bytes.equals(drawn.bytes)).toBe(false)
  await pool.ctx.storage.remove('images', sha256)
  expect((await coverJpeg(pool.ctx, { ...coverSong, artwork: sha256 })).bytes.equals(drawn.bytes)).toBe(true)
  expect((await coverJpeg(pool.ctx, { ...coverSong, artwork: noPicture })).bytes.equals(drawn.bytes)).toBe(true)
})

test('serves an image that cannot be cached, and leaves no partial file', async () => {
  const song = await aSong(pool.ctx)
  const address = await imageOf(song.entity_id)
  const key = address.split('/')[2] ?? ''
  const media = path.join(pool.ctx.config.dataDir, 'media')
  // A file at the path of the cache folder, so that nothing can be written.
  const folder = path.join(media, 'derived', key.slice(0, 8))
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.dirname(folder), { recursive: true })
  await writeFile(folder, '')
  expect((await get(address)).statusCode).toBe(200)
  await rm(folder)
  // A folder at the path of the image, so that the written file cannot be renamed to it.
  await mkdir(path.join(folder, `${key}-96.webp`, 'x'), { recursive: true })
  expect((await get(address.replace('/320.', '/96.'))).statusCode).toBe(200)
  expect(readdirSync(path.join(media, 'scratch')).filter((name) => name.endsWith('.webp'))).toEqual([])
  await rm(folder, { recursive: true })
})
