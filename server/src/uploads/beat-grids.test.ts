import { beatGrids, player, review } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, aWav, songData } from '../../test/upload-makers.ts'
import type { Analysis } from '../analysis/analysis.ts'
import { refreshSongsOfFile } from '../catalogue/version-values.ts'
import { removeGridCorrection, saveBeatGrid, saveGridCorrection } from '../media/beat-grids.ts'
import { replaceAnalysis } from '../media/media-repository.ts'
import { createSong } from './song-saving.ts'

type Person = Awaited<ReturnType<typeof aMember>>

let pool: TestPool
let admin: Person
let curator: Person

beforeAll(async () => {
  pool = await openTestPool()
  admin = await aMember(pool.ctx, { group_id: 4, staff_role: 'admin' })
  curator = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
})
afterAll(() => pool.close())

const CORRECTION: beatGrids.Correction = {
  bpm: 120,
  first_downbeat_seconds: 0.25,
  cues: [{ kind: 'drop', at_seconds: 0.75 }],
}

const measuredAt = (bpm: number): Pick<Analysis, 'structure' | 'energy'> => ({
  structure: {
    grid: {
      ...{ bpm, first_downbeat_seconds: 0.1, tempo_changes: [] },
      ...{ beat_confidence: 0.4, downbeat_confidence: 0.3 },
    },
    sections: [
      { bar: 0, bars: 8, kind: 'intro', level: 1, has_kick: true, start_seconds: 0.1 },
      { bar: 8, bars: 16, kind: 'drop', level: 1, has_kick: true, start_seconds: 16.1 },
    ],
    cues: [{ bar: 8, kind: 'drop', at_seconds: 16.1 }],
  },
  energy: 6,
})

/** A published version, with an uncertain measured grid if it has a tempo. */
async function aVersion({ bpm }: { bpm?: number } = {}) {
  const { entity_id, versionIds, files } = await aSong(pool.ctx)
  const [song_version_id, file_id] = [versionIds[0]!, files[0]!.file_id]
  if (bpm !== undefined) await saveBeatGrid(pool.ctx.sql, file_id, measuredAt(bpm))
  return { entity_id, song_version_id, file_id }
}

const membersSee = async (song_version_id: number) => (await pool.ask(player.getBeatGrid, { song_version_id })).grid
const correct = (song_version_id: number, correction = CORRECTION) =>
  pool.ask(beatGrids.correctGrid, { song_version_id, ...correction }, curator.token)

describe('a correction by staff', () => {
  test('is what members see, with the sections on its bar lines, until it is removed', async () => {
    const { song_version_id } = await aVersion({ bpm: 120.6 })
    expect(await membersSee(song_version_id)).toBeNull()
    const { grid } = await correct(song_version_id)
    expect(grid).toMatchObject({
      measured: {
        bpm: 120.6,
        beat_confidence: 0.4,
        downbeat_confidence: 0.3,
        cues: [{ kind: 'drop', at_seconds: 16.1 }],
      },
      correction: { ...CORRECTION, by_kind: 'staff' },
      locked: null,
    })
    expect(await membersSee(song_version_id)).toEqual({
      ...{ bpm: 120, first_downbeat_seconds: 0.25, first_beat_seconds: 0.25, tempo_changes: [], energy: 6 },
      sections: [
        { bar: 0, bars: 8, kind: 'intro', has_kick: true, start_seconds: 0.25 },
        { bar: 8, bars: 16, kind: 'drop', has_kick: true, start_seconds: 16.25 },
      ],
      cues: [{ bar: 0, kind: 'drop', at_seconds: 0.75 }],
    })
    const removed = await pool.ask(beatGrids.removeCorrection, { song_version_id }, curator.token)
    expect(removed.grid.correction).toBeNull()
    expect(await membersSee(song_version_id)).toBeNull()
  })

  test('of another tempo has no sections, and a file without a measured grid can have one', async () => {
    const other = await aVersion({ bpm: 124 })
    await correct(other.song_version_id)
    expect(await membersSee(other.song_version_id)).toMatchObject({ bpm: 120, sections: [], energy: 6 })
    const unmeasured = await aVersion()
    const { grid } = await correct(unmeasured.song_version_id)
    expect(grid.measured).toBeNull()
    expect(await membersSee(unmeasured.song_version_id)).toMatchObject({ bpm: 120, sections: [], energy: null })
  })

  test('survives a re-analysis, and the newly measured grid returns when it is removed', async () => {
    const { song_version_id, file_id } = await aVersion({ bpm: 124 })
    await correct(song_version_id)
    const { sql } = pool.ctx
    const [file] = await sql<
      { sha256: string }[]
    >`select encode(sha256, 'hex') as sha256 from preview where file_id = ${file_id}`
    const preview = { sha256: file!.sha256, bytes: 1 }
    const analysis = {
      ...{
        analyser_version: 9,
        duration_seconds: 1,
        sample_rate: 44_100,
        channels: 2,
        bitrate_kbps: 128,
        format: 'mp3',
      },
      ...{ bpm: 126, bpm_confidence: 1, bpm_alternatives: [], song_key: null, key_confidence: 0, faults: [] },
      ...{ loudness_lufs: -9, loudness_range: 4, true_peak_db: -1 },
      ...{ overview: new Uint8Array(4), detail: new Uint8Array(3), fingerprint: [] },
      ...{ bit_depth: null, spectrum: null },
      ...measuredAt(126),
    } as unknown as Analysis
    await replaceAnalysis(sql, file_id, { analysis, preview })
    expect(await membersSee(song_version_id)).toMatchObject({ bpm: 120, first_downbeat_seconds: 0.25 })
    const { grid } = await pool.ask(beatGrids.removeCorrection, { song_version_id }, curator.token)
    expect(grid).toMatchObject({ measured: { bpm: 126 }, correction: null })
  })

  test('replaces the analysed BPM of its versions, which search and the song use, until it is removed', async () => {
    const { sql } = pool.ctx
    const { entity_id, song_version_id, file_id } = await aVersion({ bpm: 174 })
    await sql`
      insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm, bpm_confidence,
        key_confidence, loudness_lufs, loudness_range, true_peak_db)
      values (${file_id}, 1, 1, 44100, 2, 128, 174, 0.9, 0.5, -9, 3, -1)`
    await sql.begin((tx) => refreshSongsOfFile(tx, file_id))
    const tempos = async () => {
      const [row] = await sql`
        select v.bpm, v.bpm_source, v.bpm_confidence, s.min_bpm, (select max_bpm from song_search where entity_id = s.entity_id) as found_by
        from song_version v join song s using (entity_id) where song_version_id = ${song_version_id}`
      return row
    }
    // A file this short is never certain by itself.
    const measured = {
      bpm: 174,
      bpm_source: 'analysis',
      bpm_confidence: expect.closeTo(0.4),
      min_bpm: 174,
      found_by: 174,
    }
    expect(await tempos()).toEqual(measured)
    await correct(song_version_id, { ...CORRECTION, bpm: 87 })
    expect(await tempos()).toEqual({ bpm: 87, bpm_source: 'analysis', bpm_confidence: 1, min_bpm: 87, found_by: 87 })
    await pool.ask(beatGrids.removeCorrection, { song_version_id }, curator.token)
    expect(await tempos()).toEqual(measured)
    await sql`update song_version set bpm = 90, bpm_source = 'tag' where entity_id = ${entity_id}`
    await correct(song_version_id, { ...CORRECTION, bpm: 87 })
    expect(await tempos()).toMatchObject({ bpm: 90, bpm_source: 'tag' })
  })

  test('is recorded in the audit log, with the values before and after', async () => {
    const { entity_id, song_version_id } = await aVersion()
    await correct(song_version_id)
    await correct(song_version_id, { ...CORRECTION, bpm: 121, cues: [] })
    await pool.ask(beatGrids.removeCorrection, { song_version_id }, curator.token)
    const entries = await pool.ctx.sql`
      select action, before, after from audit where subject = ${`song ${entity_id}`} order by audit_id`
    const first = { bpm: 120, first_downbeat_seconds: 0.25, cues: 1 }
    const second = { bpm: 121, first_downbeat_seconds: 0.25, cues: 0 }
    expect(entries).toEqual([
      { action: 'beat grid corrected', before: {}, after: { ...first, song_version_id } },
      { action: 'beat grid corrected', before: first, after: { ...second, song_version_id } },
      { action: 'beat grid correction removed', before: second, after: { song_version_id } },
    ])
  })

  test.each([
    [{ bpm: 19.9 }, 'Enter a BPM from 20 to 400.'],
    [{ bpm: 401 }, 'Enter a BPM from 20 to 400.'],
    [{ first_downbeat_seconds: -1 }, 'Enter the first downbeat as minutes and seconds, such as 0:01.250.'],
    [{ first_downbeat_seconds: 2 }, 'The first downbeat must be before the end of the file.'],
    [{ cues: [{ kind: 'drop', at_seconds: 2 }] }, 'Cue points must be before the end of the file.'],
    [{ cues: Array(9).fill({ kind: 'drop', at_seconds: 0 }) }, 'Use up to 8 cue points.'],
  ] as const)('%j is rejected with a message', async (change, message) => {
    const { song_version_id } = await aVersion()
    const rejected = correct(song_version_id, { ...CORRECTION, ...(change as Partial<beatGrids.Correction>) })
    expect(await errorOf(rejected)).toMatchObject({ status: 400, message })
  })
})

describe('a correction by the uploader', () => {
  const grid = (upload_id: number, { token }: Person) => pool.ask(beatGrids.getOwnGrid, { upload_id }, token)
  const correctOwn = (upload_id: number, { token }: Person, correction = CORRECTION) =>
    pool.ask(beatGrids.correctOwnGrid, { upload_id, ...correction }, token)
  const removeOwn = (upload_id: number, { token }: Person) =>
    pool.ask(beatGrids.removeOwnCorrection, { upload_id }, token)

  /** Publishes a song with this file; returns its version. */
  async function publish(upload_id: number, uploader: Person): Promise<number> {
    const title = `Night Drive ${upload_id}`
    const slot = {
      version_id: 1,
      new_label: '',
      song: upload_id,
      start_min: 0,
      start_sec: 0,
      song_version_id: undefined,
    }
    const data = songData({ title, genres: [await aGenre(pool.ctx, title)] })
    const { entity_id } = await createSong(pool.ctx, uploader.customer_id, {
      songData: data as never,
      versions: [slot],
    })
    const { song } = await pool.ask(review.getUpload, { entity_id }, admin.token)
    const decision = { decision: 'publish' as const, songs: [{ entity_id, version: song.version }] }
    await pool.ask(review.decideUploads, decision as never, admin.token)
    const [version] = await pool.ctx.sql<{ song_version_id: number }[]>`
      select song_version_id from song_version join upload using (file_id) where upload_id = ${upload_id}`
    return version!.song_version_id
  }

  test('is possible before and after publication, and members see it', async () => {
    const uploader = await aMember(pool.ctx)
    const upload_id = await anUpload(pool.ctx, uploader)
    expect((await correctOwn(upload_id, uploader)).grid).toMatchObject({
      correction: { ...CORRECTION, by_kind: 'uploader' },
      locked: null,
    })
    const song_version_id = await publish(upload_id, uploader)
    expect(await membersSee(song_version_id)).toMatchObject({ bpm: 120 })
    await correctOwn(upload_id, uploader, { ...CORRECTION, bpm: 122 })
    expect(await membersSee(song_version_id)).toMatchObject({ bpm: 122 })
    await removeOwn(upload_id, uploader)
    expect(await membersSee(song_version_id)).toBeNull()
  })

  test('cannot replace or remove that of staff', async () => {
    const uploader = await aMember(pool.ctx)
    const upload_id = await anUpload(pool.ctx, uploader)
    const song_version_id = await publish(upload_id, uploader)
    await correctOwn(upload_id, uploader, { ...CORRECTION, bpm: 100 })
    await correct(song_version_id)
    const lockedError = { status: 409, code: 'not_editable', message: expect.stringMatching(/^Staff have corrected/) }
    expect(await errorOf(correctOwn(upload_id, uploader))).toMatchObject(lockedError)
    expect(await errorOf(removeOwn(upload_id, uploader))).toMatchObject(lockedError)
    expect((await grid(upload_id, uploader)).grid).toMatchObject({ correction: { by_kind: 'staff' }, locked: 'staff' })
    expect(await membersSee(song_version_id)).toMatchObject({ bpm: 120 })
  })

  test('does not replace or remove one that staff save at the same moment', async () => {
    const { file_id, song_version_id } = await aVersion()
    await correct(song_version_id)
    const uploader = { kind: 'uploader' as const, customer_id: (await aMember(pool.ctx)).customer_id }
    expect(await saveGridCorrection(pool.ctx.sql, file_id, { ...CORRECTION, bpm: 100 }, uploader)).toBe(false)
    await removeGridCorrection(pool.ctx.sql, file_id, uploader)
    expect(await membersSee(song_version_id)).toMatchObject({ bpm: 120 })
  })

  test('is only possible for their own files, and not for one that is in someone else’s song', async () => {
    const [uploader, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
    const bytes = aWav()
    const upload_id = await anUpload(pool.ctx, uploader, { bytes })
    expect(await errorOf(grid(upload_id, other))).toMatchObject({ code: 'unknown_upload' })
    expect(await errorOf(correctOwn(upload_id, other))).toMatchObject({ code: 'unknown_upload' })
    const sameFile = await anUpload(pool.ctx, other, { bytes })
    await publish(upload_id, uploader)
    expect((await grid(sameFile, other)).grid.locked).toBe('shared')
    expect(await errorOf(correctOwn(sameFile, other))).toMatchObject({ code: 'not_editable' })
    expect((await grid(upload_id, uploader)).grid.locked).toBeNull()
  })

  test('comes with the sound and waveform of the file, for the uploader and staff alone', async () => {
    const [uploader, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
    const upload_id = await anUpload(pool.ctx, uploader)
    const { mp3, peaks } = (await grid(upload_id, uploader)).grid
    const get = async (url: string) => (await pool.app.inject({ method: 'GET', url })).statusCode
    expect([await get(mp3), await get(peaks)]).toEqual([200, 200])
    expect(await get(mp3.replace(/files\/[^/]+/, 'files/x'))).toBeGreaterThanOrEqual(400)
    await pool.ctx.sql`update upload set customer_id = ${other.customer_id} where upload_id = ${upload_id}`
    expect(await get(mp3)).toBe(410)
  })
})
