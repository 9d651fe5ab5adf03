import { corrections, reanalyses, staffSongs } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, aWav, inProcessAnalyser, songData } from '../../test/upload-makers.ts'
import { AnalyserError } from '../analysis/analyser.ts'
import { applyCorrections } from './corrections.ts'
import { publishUpload } from './publishing.ts'
import { reanalyseNext } from './reanalysis.ts'
import { createSong, updateSong } from './song-saving.ts'

let pool: TestPool
let curator: { customer_id: number; token: string }

beforeAll(async () => {
  pool = await openTestPool()
  curator = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
})
afterAll(() => pool.close())

const requestReanalysis = (entity_id: number) =>
  pool.ask(reanalyses.analyseSongs, { entity_ids: [entity_id] }, curator.token)
const read = (entity_id: number) => pool.ask(staffSongs.getSong, { entity_id }, curator.token)

/** Analysed as A minor, with a unique pitch: the tones of `aWav` are whole numbers. */
const toneOfAMinor = () => 440 + ++songs / 100
let songs = 0

/** Adds a song with one stored file and different values from an older analysis. */
async function aStoredSong(params: Parameters<typeof aSong>[1] = {}) {
  const song = await aSong(pool.ctx, { wavs: [aWav({ tone: toneOfAMinor() })], seconds: 1, ...params })
  const file_id = song.files[0]?.file_id ?? 0
  await pool.ctx.sql`
    insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm_confidence,
      song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db)
    values (${file_id}, 1, 4, 22050, 1, 352, 0, 'Ebm', 0.2, -20, 0, -1) on conflict do nothing`
  return { ...song, file_id }
}

test('a re-analysis replaces measurements, preview, waveform and values that came from analysis', async () => {
  const song = await aStoredSong({ song_key: 'Ebm', key_source: 'analysis', min_bpm: 99, bpm_source: 'tag' })
  const { sql, storage } = pool.ctx
  const [before] = await sql`select encode(sha256, 'hex') as preview from preview where file_id = ${song.file_id}`
  await requestReanalysis(song.entity_id)
  expect(await reanalyseNext(pool.ctx, inProcessAnalyser)).toBe(true)
  expect(await reanalyseNext(pool.ctx, inProcessAnalyser)).toBe(false)
  const { song: shown, edits, analysing } = await read(song.entity_id)
  expect(analysing[String(song.versionIds[0])]).toMatchObject({ state: 'done', progress: 1 })
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
  // Undone like any other edit.
  await pool.ask(corrections.undoEdit, { song_edit_id: edits[0]?.song_edit_id ?? 0 }, curator.token)
  expect((await read(song.entity_id)).song.song_key).toBe('Ebm')
})

test.each(['staff', 'uploader', 'tag', 'name'] as const)(
  'a key of %s is not overwritten by an analysis',
  async (key_source) => {
    const song = await aStoredSong({ song_key: 'Ebm', key_source })
    await requestReanalysis(song.entity_id)
    await reanalyseNext(pool.ctx, inProcessAnalyser)
    expect((await read(song.entity_id)).song).toMatchObject({ song_key: 'Ebm', origins: { song_key: key_source } })
  },
)

test('a file that is lost, or that crashes the analyser, is marked with the reason; a stop postpones it', async () => {
  const { sql, storage } = pool.ctx
  const song = await aStoredSong()
  const state = async () => (await read(song.entity_id)).analysing[String(song.versionIds[0])]
  const failing = (kind: 'stopped' | 'crashed') => ({
    analyse: async (path: string) => {
      throw new AnalyserError(path, kind, 'it ended')
    },
    stop: async () => {},
  })
  await requestReanalysis(song.entity_id)
  await reanalyseNext(pool.ctx, failing('stopped'))
  expect(await state()).toMatchObject({ state: 'queued' })
  for (let attempts = 0; attempts < 4; attempts++) {
    await sql`update reanalysis set due_at = now() where file_id = ${song.file_id}`
    await reanalyseNext(pool.ctx, failing('crashed'))
  }
  expect(await state()).toMatchObject({ state: 'failed', last_error: 'The analysis failed three times.' })
  await storage.remove('audio', song.files[0]?.sha256 ?? '')
  await requestReanalysis(song.entity_id)
  await reanalyseNext(pool.ctx, inProcessAnalyser)
  expect(await state()).toMatchObject({ state: 'failed', last_error: 'The file is missing from storage.' })
})

test('staff’s correction stays when the uploader changes something else', async () => {
  const { ctx } = pool
  const member = await aMember(ctx, { group_id: 3 })
  const genre = await aGenre(ctx, 'Carried')
  const upload = await anUpload(ctx, member)
  const createdSong = await createSong(ctx, member.customer_id, {
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
    (await ctx.sql`select version, title, year from upload_song where upload_song_id = ${createdSong.entity_id}`)[0]
  const decide = async () =>
    ctx.sql.begin(async (sql) =>
      publishUpload(ctx, sql, {
        entity_id: createdSong.entity_id,
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
  await updateSong(ctx, member.customer_id, {
    entity_id: createdSong.entity_id,
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
  // A value the uploader has changed since is not overwritten.
  await ctx.sql`update upload_song set title = 'Theirs' where upload_song_id = ${createdSong.entity_id}`
  await applyCorrections(ctx.sql, entity_id, {
    before: { title: ['Night Drive, mended', 'staff'] },
    after: { title: ['Ours', 'staff'] },
  })
  expect(await version()).toMatchObject({ title: 'Theirs' })
})
