import { review, uploadedSongs, uploads } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, aWav, songData } from '../../test/upload-makers.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import { sweepRemovedFiles } from './removed-files.ts'
import { lockSong } from './song-saving.ts'
import { removeUpload } from './upload-container.ts'
import { saveVersionSlots } from './version-slots.ts'

const DAY_MS = 24 * 3600 * 1000

let pool: TestPool
let house: number
beforeAll(async () => {
  pool = await openTestPool()
  house = await aGenre(pool.ctx, 'House')
})
afterAll(() => pool.close())

const sweepOneMonthLater = () => sweepRemovedFiles({ ...pool.ctx, now: () => new Date(Date.now() + 31 * DAY_MS) })

test('a copy removed before its analysis does not affect the pool’s file', async () => {
  const song = await aSong(pool.ctx)
  const { bytes, sha256 } = song.files[0] as (typeof song.files)[number]
  const member = await aMember(pool.ctx)
  const upload_id = await anUpload(pool.ctx, member, { bytes, name: 'copy.mp3', analysed: false })
  await pool.ask(uploads.removeUpload, { upload_id }, member.token)
  await sweepOneMonthLater()
  expect(await pool.ctx.storage.has('audio', sha256)).toBe(true)
})

test('an imported file that is only in this upload stays while its song exists', async () => {
  const song = await aSong(pool.ctx)
  const { bytes, sha256 } = song.files[0] as (typeof song.files)[number]
  await pool.ctx.sql`update song_version set status = 'unpublished' where entity_id = ${song.entity_id}`
  const member = await aMember(pool.ctx)
  const upload_id = await anUpload(pool.ctx, member, { bytes, name: 'copy.mp3', analysed: false })
  await pool.ask(uploads.removeUpload, { upload_id }, member.token)
  await sweepOneMonthLater()
  expect(await pool.ctx.storage.has('audio', sha256)).toBe(true)
})

/** The same audio in a file with different tags. */
function withNote(wav: Buffer, note: string): Buffer {
  const text = Buffer.from(note.padEnd(20, ' '))
  const list = Buffer.concat([Buffer.from('LIST'), Buffer.alloc(4), Buffer.from('INFOINAM'), Buffer.alloc(4), text])
  list.writeUInt32LE(list.length - 8, 4)
  list.writeUInt32LE(text.length, 16)
  const bytes = Buffer.concat([wav, list])
  bytes.writeUInt32LE(bytes.length - 8, 4)
  return bytes
}

test('a file sent again with other tags keeps its preview when the first one is deleted', async () => {
  const member = await aMember(pool.ctx)
  const media = aWav()
  const first = await anUpload(pool.ctx, member, { bytes: withNote(media, 'Wrong') })
  const second = await anUpload(pool.ctx, member, { bytes: withNote(media, 'Right') })
  await pool.ask(uploads.removeUpload, { upload_id: first }, member.token)
  await sweepOneMonthLater()
  const { files } = await pool.ask(uploads.getContainer, {}, member.token)
  const left = files.find(({ upload_id }) => upload_id === second)
  expect((await pool.app.inject({ url: left?.mp3 ?? '' })).statusCode).toBe(200)
})

const aDraft = async (member: { token: string }, title: string) =>
  (
    await pool.ask(
      uploadedSongs.createSong,
      { songData: songData({ title, genres: [house] }), versions: [] },
      member.token,
    )
  ).entity_id

const slot = (song: number) => ({
  ...{ song_version_id: undefined, version_id: undefined, new_label: 'Clean' },
  song,
  start_min: 0,
  start_sec: 0,
})

test('a file that is removed while a song is saved with it stays, and the remover gets an error', async () => {
  const member = await aMember(pool.ctx)
  const song = await anUpload(pool.ctx, member)
  const draft = await aDraft(member, 'Saved while removing')
  let removal: Promise<unknown> = Promise.resolve()
  await pool.ctx.sql.begin(async (sql) => {
    await saveVersionSlots(sql, await lockSong(sql, draft), [slot(song)])
    removal = removeUpload(pool.ctx.sql, member.customer_id, song).then(
      () => 'removed',
      ({ code }) => code,
    )
    await waitForBlocked(pool.ctx.sql, 1)
  })
  expect(await removal).toBe('upload_in_use')
})

test('of two songs saved with one file at once, the second gets an error', async () => {
  const member = await aMember(pool.ctx)
  const song = await anUpload(pool.ctx, member)
  const draft = await aDraft(member, 'First window')
  let second: Promise<unknown> = Promise.resolve()
  await pool.ctx.sql.begin(async (sql) => {
    await saveVersionSlots(sql, await lockSong(sql, draft), [slot(song)])
    second = errorOf(
      pool.ask(
        uploadedSongs.createSong,
        { songData: songData({ title: 'Second window', genres: [house] }), versions: [{ new_label: 'Clean', song }] },
        member.token,
      ),
    )
    await waitForBlocked(pool.ctx.sql, 1)
  })
  expect(await second).toMatchObject({ code: 'upload_in_use' })
})

test('a slot that is sent twice gives two versions, not an error', async () => {
  const member = await aMember(pool.ctx)
  const [one, two] = [await anUpload(pool.ctx, member), await anUpload(pool.ctx, member)]
  const form = {
    songData: songData({ title: 'Twice', genres: [house] }),
    versions: [{ new_label: 'Clean', song: one }],
  }
  const { entity_id } = await pool.ask(uploadedSongs.createSong, form, member.token)
  const { versions } = await pool.ask(uploadedSongs.getSongVersions, { entity_id }, member.token)
  const { song_version_id } = versions[0] as uploadedSongs.Slot
  const twice = [
    { song_version_id, new_label: 'Clean', song: one },
    { song_version_id, new_label: 'Dirty', song: two },
  ]
  await pool.ask(uploadedSongs.updateSong, { ...form, entity_id, versions: twice }, member.token)
  const after = await pool.ask(uploadedSongs.getSongVersions, { entity_id }, member.token)
  expect(after.versions.map(({ name }) => name)).toEqual(['Clean', 'Dirty'])
  expect(after.versions[0]?.song_version_id).toBe(song_version_id)
})

test('a song with an unexpected error is skipped with a reference number, and the others are decided', async () => {
  const [member, staff] = [await aMember(pool.ctx), await aMember(pool.ctx, { staff_role: 'curator' })]
  const createdIds: number[] = []
  for (const title of ['Tripping', 'Walking']) {
    const song = await anUpload(pool.ctx, member)
    const versions = [{ new_label: `Take of ${title}`, song }]
    const form = { songData: songData({ title, genres: [house] }), versions }
    createdIds.push((await pool.ask(uploadedSongs.createSong, form, member.token)).entity_id)
  }
  // A version type whose name belongs to another one.
  await pool.ctx.sql`insert into version_kind (version_code, name) values ('renamed', 'Take of Tripping')`
  const songs = createdIds.map((entity_id) => ({ entity_id, version: 1 }))
  const { done, left } = await pool.ask(review.decideUploads, { songs, decision: 'publish' }, staff.token)
  expect(done).toEqual([createdIds[1]])
  expect(left).toMatchObject([{ entity_id: createdIds[0], code: 'internal_error' }])
})

/** Runs the sweep first: what is stored next is deleted again immediately. */
function sweepOnceDuring(kind: 'audio' | 'previews'): () => void {
  const { storage } = pool.ctx
  const { putFile: keepFile } = storage
  let isSwept = false
  storage.putFile = async (...given: Parameters<typeof keepFile>) => {
    const storedFile = await keepFile(...given)
    if (given[0] === kind && !isSwept) {
      isSwept = true
      await storage.remove(kind, storedFile.sha256, given[2])
    }
    return storedFile
  }
  return () => {
    storage.putFile = keepFile
  }
}

test('a file that is deleted at the moment it is sent again is stored anyway', async () => {
  const member = await aMember(pool.ctx)
  for (const kind of ['audio', 'previews'] as const) {
    const undo = sweepOnceDuring(kind)
    const upload = await anUpload(pool.ctx, member).finally(undo)
    const { files } = await pool.ask(uploads.getContainer, {}, member.token)
    const file = files.find(({ upload_id }) => upload_id === upload)
    expect(file?.analysis.state).toBe('done')
    expect((await pool.app.inject({ url: file?.mp3 ?? '' })).statusCode).toBe(200)
    const [row] = await pool.ctx.sql<{ sha256: string }[]>`
      select encode(sha256, 'hex') as sha256 from upload where upload_id = ${upload}`
    expect(await pool.ctx.storage.has('audio', row?.sha256 ?? '')).toBe(true)
  }
})
