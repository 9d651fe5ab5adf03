import { corrections, reanalyses, songsDesk } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { analyserHere, anUpload, aWav, songData } from '../../test/uploading.ts'
import { AnalyserFailure } from '../audio/analyser.ts'
import { carryCorrections } from './corrections.ts'
import { publishUpload } from './publishing.ts'
import { renewNext } from './renewal.ts'
import { createSong, updateSong } from './song-saving.ts'

let pool: TestPool
let curator: { customer_id: number; token: string }

beforeAll(async () => {
  pool = await openTestPool()
  curator = await aMember(pool.world, { group_id: 4, staff_role: 'curator' })
})
afterAll(() => pool.close())

const askAgain = (entity_id: number) => pool.ask(reanalyses.analyseSongs, { entity_ids: [entity_id] }, curator.token)
const read = (entity_id: number) => pool.ask(songsDesk.getSong, { entity_id }, curator.token)

/** In A minor to the analyser, and no other file's pitch: the tones of `aWav` are whole numbers. */
const toneOfAMinor = () => 440 + ++songs / 100
let songs = 0

/** A song of one stored file, of which an older analysis thought something else. */
async function aStoredSong(wish: Parameters<typeof aSong>[1] = {}) {
  const song = await aSong(pool.world, { wavs: [aWav({ tone: toneOfAMinor() })], seconds: 1, ...wish })
  const file_id = song.files[0]?.file_id ?? 0
  await pool.world.sql`
    insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm_confidence,
      song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db)
    values (${file_id}, 1, 4, 22050, 1, 352, 0, 'Ebm', 0.2, -20, 0, -1) on conflict do nothing`
  return { ...song, file_id }
}

test('a stored file is analysed again: measures, preview and waveform are new, and what the analysis alone had told', async () => {
  const song = await aStoredSong({ song_key: 'Ebm', key_source: 'analysis', min_bpm: 99, bpm_source: 'tag' })
  const { sql, storage } = pool.world
  const [before] = await sql`select encode(sha256, 'hex') as preview from preview where file_id = ${song.file_id}`
  await askAgain(song.entity_id)
  expect(await renewNext(pool.world, analyserHere)).toBe(true)
  expect(await renewNext(pool.world, analyserHere)).toBe(false)
  const { song: shown, edits, analysing } = await read(song.entity_id)
  expect(analysing[String(song.versionIds[0])]).toMatchObject({ state: 'done', share: 1 })
  expect(shown).toMatchObject({ min_bpm: 99, origins: { bpm: 'tag', song_key: 'analysis' } })
  expect(shown.song_key).not.toBe('Ebm')
  expect(edits[0]).toMatchObject({
    kind: 'analysed',
    changes: [{ field: 'song_key', before: 'Ebm', after: shown.song_key }],
  })
  const [after] = await sql`
    select a.analyser_version > 1 as renewed, encode(p.sha256, 'hex') as preview, v.wave <> '' as drawn, v.loudness_lufs > -9 as louder
    from analysis a join preview p using (file_id) join song_version v using (file_id) where file_id = ${song.file_id}`
  expect(after).toMatchObject({ renewed: true, drawn: true, louder: false })
  expect(await storage.has('previews', after?.preview, '.mp3')).toBe(true)
  expect(await storage.has('previews', before?.preview, '.mp3')).toBe(false)
  // Taken back like any other edit.
  await pool.ask(corrections.undoEdit, { song_edit_id: edits[0]?.song_edit_id ?? 0 }, curator.token)
  expect((await read(song.entity_id)).song.song_key).toBe('Ebm')
})

test.each(['staff', 'uploader', 'tag', 'name'] as const)(
  'a key of %s is not overwritten by an analysis',
  async (key_source) => {
    const song = await aStoredSong({ song_key: 'Ebm', key_source })
    await askAgain(song.entity_id)
    await renewNext(pool.world, analyserHere)
    expect((await read(song.entity_id)).song).toMatchObject({ song_key: 'Ebm', origins: { song_key: key_source } })
  },
)

test('a file that is lost, or that ends the analyser, is marked and says why; a stop leaves it for later', async () => {
  const { sql, storage } = pool.world
  const song = await aStoredSong()
  const state = async () => (await read(song.entity_id)).analysing[String(song.versionIds[0])]
  const failing = (kind: 'stopped' | 'crashed') => ({
    analyse: async (path: string) => {
      throw new AnalyserFailure(path, kind, 'it ended')
    },
    stop: async () => {},
  })
  await askAgain(song.entity_id)
  await renewNext(pool.world, failing('stopped'))
  expect(await state()).toMatchObject({ state: 'queued' })
  for (let tries = 0; tries < 4; tries++) {
    await sql`update reanalysis set due_at = now() where file_id = ${song.file_id}`
    await renewNext(pool.world, failing('crashed'))
  }
  expect(await state()).toMatchObject({ state: 'failed', trouble: 'The analysis failed three times.' })
  await storage.remove('audio', song.files[0]?.sha256 ?? '')
  await askAgain(song.entity_id)
  await renewNext(pool.world, analyserHere)
  expect(await state()).toMatchObject({ state: 'failed', trouble: 'The file is missing from storage.' })
})

test('what staff corrected in the pool stays when its uploader changes something else', async () => {
  const { world } = pool
  const member = await aMember(world, { group_id: 3 })
  const genre = await aGenre(world, 'Carried')
  const upload = await anUpload(world, member)
  const made = await createSong(world, member.customer_id, {
    songData: { ...songData({ genres: [genre] }), expire_date: undefined } as never,
    versions: [
      {
        song: upload,
        version_id: undefined,
        song_version_id: undefined,
        new_label: 'Clean',
        start_min: 0,
        start_sec: 0,
      },
    ],
  })
  const version = async () =>
    (await world.sql`select version, title, year from upload_song where upload_song_id = ${made.entity_id}`)[0]
  const decide = async () =>
    world.sql.begin(async (sql) =>
      publishUpload(world, sql, {
        entity_id: made.entity_id,
        version: (await version())?.version,
        staff_id: curator.customer_id,
      }),
    )
  const entity_id = await decide()
  const { song } = await read(entity_id)
  const change = { title: 'Night Drive, mended', bpm: '125' }
  await pool.ask(corrections.editSong, { entity_id, revision: song.revision, change }, curator.token)
  expect(await version()).toMatchObject({ title: 'Night Drive, mended' })
  const { title } = (await version()) as { title: string }
  await updateSong(world, member.customer_id, {
    entity_id: made.entity_id,
    songData: { ...songData({ genres: [genre], title, bpm: '125', year: '2025' }), expire_date: undefined } as never,
    versions: [
      {
        song: upload,
        version_id: undefined,
        song_version_id: undefined,
        new_label: 'Clean',
        start_min: 0,
        start_sec: 0,
      },
    ],
  } as never)
  await decide()
  expect((await read(entity_id)).song).toMatchObject({
    ...{ title: 'Night Drive, mended', min_bpm: 125, year: 2025 },
    origins: { title: 'staff', bpm: 'staff', year: 'uploader' },
  })
  // What the uploader changed meanwhile is not written over.
  await world.sql`update upload_song set title = 'Theirs' where upload_song_id = ${made.entity_id}`
  await carryCorrections(world.sql, entity_id, {
    before: { title: ['Night Drive, mended', 'staff'] },
    after: { title: ['Ours', 'staff'] },
  })
  expect(await version()).toMatchObject({ title: 'Theirs' })
})
