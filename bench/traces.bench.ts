import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type LosslessSong, makeLosslessFiles } from './lossless-songs.ts'
import { CHANGES, LOSSY_FORMATS, type LossyFormat, makeLossyCopy } from './lossy-copies.ts'
import { measureTraces, type TracesMeasurement } from './measure-traces.ts'
import { run } from './packages.ts'
import { builtPath } from './processes.ts'
import { atLeastTarget, atMostTarget, type Finding, type Report } from './results.ts'

/** The limits were chosen with seed 7. */
const SEED = 8
const SONGS_OF_EACH_KIND = 4
const KINDS = ['demo', 'synthesised', 'composed']
/** Rates that were not found before the search for traces: 7 of 9 are to be found. */
const HIGH_RATES = ['MP3 256', 'MP3 320', 'MP3 V0', 'AAC 256', 'Opus 128', 'Opus 160', 'Opus 256']
/** Changed copies are made of every third song only. */
const CHANGED_SONGS = 3
const CHANGED_FORMATS = ['MP3 256', 'AAC 256', 'Opus 128']
const LEAST_PERCENT = 78
const FULL_LENGTH_SECONDS = 180
const MOST_CPU_SECONDS = 0.15

/** Measures how many lossless files made from lossy ones are found, and how many genuine ones are accused. */
export async function benchTraces(): Promise<Report> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-bench-traces-'))
  try {
    const title = 'Traces of lossy encoding'
    const files = makeLosslessFiles(folder, SEED)
    const songs = KINDS.flatMap((kind) => files.filter((file) => file.kind === kind).slice(0, SONGS_OF_EACH_KIND))
    const formats = LOSSY_FORMATS.filter((format) => makeLossyCopy(folder, songs[0]!, format) !== undefined)
    const missing = LOSSY_FORMATS.filter((format) => !formats.includes(format)).map(({ name }) => name)
    const notes = [
      `${songs.length} songs of 24 s for each format, made by synthesisers (${KINDS.join(', ')}); the limits were chosen on other songs of the same generators. MP3 by lame, the others by ffmpeg, decoded by ffmpeg. The genuine files are the songs themselves, processed as in mastering, and sounds that a search for zeros could mistake.`,
      ...(missing.length > 0 ? [`Without ${missing.join(', ')}: lame or ffmpeg is not installed.`] : []),
    ]
    const found = await findCopies(folder, songs, formats)
    const findings = [
      ...(await genuineFindings(files)),
      ...copyFindings(found),
      ...(await changeFindings(folder, songs, formats)),
      ...speedFindings(folder, songs),
    ]
    return { title, findings, notes }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function genuineFindings(files: LosslessSong[]): Promise<Finding[]> {
  const accused: string[] = []
  for (const { kind, file } of files) {
    const { codec } = await measureTraces(file, kind === '8 bits' ? 2 ** -7 : 2 ** -15)
    if (codec) accused.push(`${path.basename(file)}: ${codec}`)
  }
  const kinds = new Set(files.map(({ kind }) => kind)).size
  return [
    {
      what: `genuine files accused, of ${files.length} of ${kinds} kinds`,
      ours: [accused.length, ...accused].join(', '),
      against: '',
      target: atMostTarget(accused.length, 0),
    },
  ]
}

type FoundCopies = { format: LossyFormat; found: number; rightCodec: number; all: number }

async function findCopies(
  folder: string,
  songs: LosslessSong[],
  formats: LossyFormat[],
  change?: string[],
): Promise<FoundCopies[]> {
  const results: FoundCopies[] = []
  for (const format of formats) {
    const result = { format, found: 0, rightCodec: 0, all: songs.length }
    for (const song of songs) {
      const copy = makeLossyCopy(folder, song, format, change)
      const { codec } = copy ? await measureTraces(copy) : { codec: undefined }
      if (codec) result.found++
      if (codec === format.codec) result.rightCodec++
    }
    results.push(result)
  }
  return results
}

function copyFindings(results: FoundCopies[]): Finding[] {
  const high = results.filter(({ format }) => HIGH_RATES.includes(format.name))
  const total = high.reduce((sum, { all }) => sum + all, 0)
  const found = high.reduce((sum, copies) => sum + copies.found, 0)
  const percent = Math.round((1000 * found) / (total || 1)) / 10
  return [
    {
      what: `found of ${HIGH_RATES.join(', ')}, of 100`,
      ours: `${percent} (${found} of ${total})`,
      against: '',
      target: atLeastTarget(percent, LEAST_PERCENT),
    },
    ...results.map(({ format, found: count, rightCodec, all }) => ({
      what: `found of ${format.name}`,
      ours: `${count} of ${all}`,
      against: rightCodec === count ? '' : `${rightCodec} with the right codec`,
    })),
  ]
}

async function changeFindings(folder: string, songs: LosslessSong[], formats: LossyFormat[]): Promise<Finding[]> {
  const changed = formats.filter(({ name }) => CHANGED_FORMATS.includes(name))
  const some = songs.filter((_, n) => n % CHANGED_SONGS === 0)
  const findings: Finding[] = []
  for (const [name, change] of Object.entries(CHANGES)) {
    const results = await findCopies(folder, some, changed, change)
    findings.push({
      what: `the same, ${name}: ${CHANGED_FORMATS.join(', ')}`,
      ours: results.map(({ found, all }) => `${found} of ${all}`).join(', '),
      against: '',
    })
  }
  return findings
}

/** CPU for a genuine FLAC, for which the search never ends early, in a process of its own. */
function speedFindings(folder: string, songs: LosslessSong[]): Finding[] {
  const flac = path.join(folder, 'full.flac')
  const parts = Array.from({ length: 8 }, (_, n) => songs[n % songs.length]!.file)
  if (run('sox', [...parts, flac, 'trim', '0', String(FULL_LENGTH_SECONDS)]).status !== 0) return []
  const child = spawnSync(process.execPath, [builtPath('traces'), flac], { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`${flac} was not measured: ${child.stderr}`)
  const { decode, traces } = JSON.parse(child.stdout) as TracesMeasurement
  return [
    {
      what: `looking for traces in a FLAC of ${FULL_LENGTH_SECONDS} s, CPU`,
      ours: `${traces.toFixed(2)} s`,
      against: `${decode.toFixed(2)} s (decoding it)`,
      ratio: traces / decode,
      target: atMostTarget(traces, MOST_CPU_SECONDS, ' s'),
    },
  ]
}
