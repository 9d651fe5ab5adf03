import { quality, review, songDetails, uploadedSongs } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, songData } from '../../test/upload-makers.ts'
import type { Analysis } from '../analysis/analysis.ts'
import { PRINT_BANDS } from '../analysis/fingerprint.ts'
import { noise } from '../analysis/make-audio.ts'
import { saveFingerprint } from '../media/duplicates.ts'
import { replaceAnalysis } from '../media/media-repository.ts'
import { saveSpectrum } from '../media/spectra.ts'
import { compareNewVersions } from './version-comparisons.ts'

type Person = Awaited<ReturnType<typeof aMember>>

let pool: TestPool
let member: Person
let curator: Person
let house: number

beforeAll(async () => {
  pool = await openTestPool()
  member = await aMember(pool.ctx)
  curator = await aMember(pool.ctx, { group_id: 4, staff_role: 'curator' })
  house = await aGenre(pool.ctx, 'House')
})
afterAll(() => pool.close())

const CODES = 400
const FRAMES = CODES + 7
const LEVEL = 120
/** The frames of a word, from second 20 to 21. */
const WORD = { from: 160, to: 168 }

/** Fingerprint and levels of a song made of noise; `isClean` lowers a word by 20 dB. */
function printOf({ seed = 1, isClean = false }: { seed?: number; isClean?: boolean }) {
  const next = noise(seed)
  const codes = Int32Array.from({ length: CODES }, () => Math.round(next() * 2 ** 31) | 1)
  const levels = Uint8Array.from({ length: FRAMES * PRINT_BANDS }, (_, i) => {
    const frame = Math.floor(i / PRINT_BANDS)
    return LEVEL + Math.round(10 * next()) - (isClean && frame >= WORD.from && frame < WORD.to ? 40 : 0)
  })
  return { codes, levels }
}

const print = (fileId: number, { codes, levels }: ReturnType<typeof printOf>) =>
  saveFingerprint(pool.ctx.sql, fileId, codes, levels)

/** A published song whose versions sound as given. */
async function aComparableSong(clean = printOf({ isClean: true }), labels = ['Intro Clean', 'Intro Dirty', 'Clean']) {
  const song = await aSong(pool.ctx, { versions: labels })
  await print(song.files[0]!.file_id, clean)
  await print(song.files[1]!.file_id, printOf({}))
  await compareNewVersions(pool.ctx)
  return song
}

const detailsOf = (entity_id: number) => pool.ask(songDetails.getSongDetails, { entity_id })
const comparisonsOf = async (entity_id: number) => (await detailsOf(entity_id)).comparisons

test('a song shows where its Clean version differs from its Dirty version of the same kind', async () => {
  const { entity_id, versionIds } = await aComparableSong()
  const [comparison, ...others] = await comparisonsOf(entity_id)
  expect(others).toEqual([])
  expect(comparison).toMatchObject({
    clean: { song_version_id: versionIds[0], version_label: 'Intro Clean' },
    dirty: { song_version_id: versionIds[1], version_label: 'Intro Dirty' },
    is_same: false,
  })
  expect(comparison?.places).toHaveLength(1)
  const [place] = comparison!.places!
  expect(Math.abs(place!.clean_from - 20)).toBeLessThan(1)
  expect(place!.dirty_from).toBe(place!.clean_from)
})

test('a Clean that sounds the same has no places; another recording is not compared', async () => {
  const same = await aComparableSong(printOf({}))
  expect(await comparisonsOf(same.entity_id)).toMatchObject([{ places: [], is_same: true }])
  const other = await aComparableSong(printOf({ seed: 5 }))
  expect(await comparisonsOf(other.entity_id)).toMatchObject([{ places: null, is_same: false }])
})

test('versions of other kinds, unpublished ones and files without levels are not compared', async () => {
  const kinds = await aComparableSong(undefined, ['Intro Clean', 'Dirty'])
  expect(await comparisonsOf(kinds.entity_id)).toEqual([])
  const { entity_id, files, versionIds } = await aComparableSong()
  await pool.ctx.sql`update song_version set status = 'unpublished' where song_version_id = ${versionIds[1]!}`
  expect(await comparisonsOf(entity_id)).toEqual([])
  await pool.ctx.sql`update song_version set status = 'draft' where song_version_id = ${versionIds[1]!}`
  expect(await comparisonsOf(entity_id)).toEqual([])
  expect((await pool.ask(quality.getSongQuality, { entity_id }, curator.token)).comparisons).toHaveLength(1)
  await pool.ctx.sql`update song_version set status = 'published' where song_version_id = ${versionIds[1]!}`
  await pool.ctx.sql`delete from version_comparison where clean_file_id = ${files[0]!.file_id}`
  await pool.ctx.sql`update fingerprint set levels = null where file_id = ${files[0]!.file_id}`
  await compareNewVersions(pool.ctx)
  expect(await comparisonsOf(entity_id)).toEqual([])
})

test('another file is compared again, and so is one with a new analysis', async () => {
  const { entity_id, files, versionIds } = await aComparableSong(printOf({}))
  const replacement = await aSong(pool.ctx)
  const [unused] = replacement.files
  await pool.ctx.sql`update song_version set status = 'unpublished' where file_id = ${unused!.file_id}`
  await print(unused!.file_id, printOf({ isClean: true }))
  await pool.ctx.sql`update song_version set file_id = ${unused!.file_id} where song_version_id = ${versionIds[0]!}`
  expect(await comparisonsOf(entity_id)).toEqual([])
  await compareNewVersions(pool.ctx)
  expect((await comparisonsOf(entity_id))[0]?.places).toHaveLength(1)

  await replaceAnalysis(pool.ctx.sql, unused!.file_id, { analysis: anAnalysis(printOf({})), preview: aPreview })
  expect(await comparisonsOf(entity_id)).toEqual([])
  await compareNewVersions(pool.ctx)
  expect(await comparisonsOf(entity_id)).toMatchObject([{ is_same: true }])
  expect(files).toHaveLength(3)
})

const aPreview = { sha256: 'ab'.repeat(32), bytes: 1 }
const SPECTRUM = { top_hz: 22_050, duration_seconds: 1, highest_hz: 16_000, levels: new Uint8Array(96 * 2).fill(7) }

const anAnalysis = ({ codes, levels }: ReturnType<typeof printOf>, faults: Analysis['faults'] = []) =>
  ({
    ...{
      analyser_version: 4,
      duration_seconds: 1,
      sample_rate: 44_100,
      channels: 2,
      bitrate_kbps: 1411,
      bit_depth: 16,
    },
    ...{ bpm: 126, bpm_confidence: 1, bpm_alternatives: [], song_key: null, key_confidence: 0, faults },
    ...{ loudness_lufs: -9, loudness_range: 4, true_peak_db: -1, structure: null, energy: null, spectrum: SPECTRUM },
    ...{ overview: new Uint8Array(4), detail: new Uint8Array(3), fingerprint: codes, level_print: levels },
  }) as unknown as Analysis

test('an uploaded Clean that sounds the same as its Dirty has a warning for the uploader and staff, which does not block', async () => {
  const label = await aMember(pool.ctx, { group_id: 3 })
  const uploads = [await anUpload(pool.ctx, label), await anUpload(pool.ctx, label)]
  for (const upload of uploads) await print(await fileOf(upload), printOf({}))
  const versions = ['Clean', 'Dirty'].map((new_label, n) => ({ new_label, song: uploads[n]! }))
  const songInput = { songData: songData({ title: 'Same Twice', genres: [house] }), versions }
  const { entity_id } = await pool.ask(uploadedSongs.createSong, songInput, label.token)
  await compareNewVersions(pool.ctx)
  const warning = { code: 'same_as_dirty', blocks: false }
  const slots = (await pool.ask(uploadedSongs.getSongVersions, { entity_id }, label.token)).versions
  expect(slots.map(({ file }) => file.analysis.faults)).toMatchObject([[warning], []])
  const { song } = await pool.ask(review.getUpload, { entity_id }, curator.token)
  expect(song.faults).toMatchObject([{ ...warning, version_label: 'Clean' }])
  expect(song.status).toBe('in_review')
})

const fileOf = async (upload: number) => {
  const [row] = await pool.ctx.sql<{ file_id: number }[]>`select file_id from upload where upload_id = ${upload}`
  return row!.file_id
}

test('the seal of a version is that of its analysis, also after another one', async () => {
  const { entity_id, files, versionIds } = await aSong(pool.ctx)
  const sealOf = async () => (await detailsOf(entity_id)).versions[0]?.seal
  expect(await sealOf()).toMatchObject({ state: 'not_checked', format: 'mp3', is_lossless: false, warnings: [] })
  const upscaled = { code: 'upscaled', message: 'No frequencies above 16 kHz.' }
  const analysis = anAnalysis(printOf({}), [upscaled])
  await replaceAnalysis(pool.ctx.sql, files[0]!.file_id, { analysis, preview: aPreview })
  expect(await sealOf()).toMatchObject({ state: 'reencoded', bitrate_kbps: 1411, bit_depth: 16, warnings: [upscaled] })
  const staffSees = await pool.ask(quality.getSongQuality, { entity_id }, curator.token)
  expect(staffSees.seals).toMatchObject([{ song_version_id: versionIds[0], seal: { state: 'reencoded' } }])
  const checked = anAnalysis(printOf({}))
  await replaceAnalysis(pool.ctx.sql, files[0]!.file_id, { analysis: checked, preview: aPreview })
  expect(await sealOf()).toMatchObject({ state: 'checked', warnings: [] })
})

test('members get the spectrum of a published version, staff of any; null without one', async () => {
  const { files, versionIds } = await aSong(pool.ctx)
  const song_version_id = versionIds[0]!
  const spectrumFor = async (token?: string) =>
    (await pool.ask(quality.getSpectrum, { song_version_id }, token)).spectrum
  expect(await spectrumFor(member.token)).toBeNull()
  await saveSpectrum(pool.ctx.sql, files[0]!.file_id, SPECTRUM)
  const expected = { ...SPECTRUM, levels: Buffer.from(SPECTRUM.levels).toString('base64') }
  expect(await spectrumFor(member.token)).toEqual(expected)
  expect(await errorOf(spectrumFor())).toMatchObject({ status: 401 })
  await pool.ctx.sql`update song_version set status = 'unpublished' where song_version_id = ${song_version_id}`
  expect(await errorOf(spectrumFor(member.token))).toMatchObject({ code: 'unknown_version' })
  const staffSees = await pool.ask(quality.getStaffSpectrum, { song_version_id }, curator.token)
  expect(staffSees.spectrum).toEqual(expected)
})

test('an uploader gets the spectrum that the analysis of their file stored, and so do reviewers', async () => {
  const label = await aMember(pool.ctx, { group_id: 3 })
  const upload_id = await anUpload(pool.ctx, label)
  const spectrumFor = async ({ token }: Person) =>
    (await pool.ask(quality.getOwnSpectrum, { upload_id }, token)).spectrum
  const analysed = await spectrumFor(label)
  expect(Buffer.from(analysed!.levels, 'base64').length % 96).toBe(0)
  expect(await spectrumFor(curator)).toEqual(analysed)
  expect(await errorOf(spectrumFor(member))).toMatchObject({ code: 'unknown_upload' })
})

test('a spectrum with more columns than the analysis produces is not stored', async () => {
  const { files } = await aSong(pool.ctx)
  const tooLong = { ...SPECTRUM, levels: new Uint8Array(96 * 401) }
  await expect(saveSpectrum(pool.ctx.sql, files[0]!.file_id, tooLong)).rejects.toThrow(RangeError)
})
