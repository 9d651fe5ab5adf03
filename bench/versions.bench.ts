import { deflateRawSync } from 'node:zlib'
import { findChangedPlaces, type LevelPrint } from '../server/src/analysis/changed-places.ts'
import { Spectrogram } from '../server/src/analysis/spectrogram.ts'
import { asMp3, EDITS, type EditedPair, editedPair, fingerprintOf } from './edited-versions.ts'
import { atLeastTarget, atMostTarget, type Finding, ms, type Report } from './results.ts'

/** The thresholds were chosen with the seeds 0 to 13. */
const FIRST_SEED = 100
const PAIRS = 28
const RATE = 44_100
/** A place is right if it begins or ends this near to a known one, in seconds. */
const TOLERANCE = 0.6

type Encoding = { name: string; encode: (mono: Float32Array) => Promise<Float32Array>; cut_seconds: number }

const asIs = async (mono: Float32Array) => mono
const cut = (mono: Float32Array, seconds: number) => mono.subarray(Math.round(seconds * RATE))

/** How the Clean and the Dirty are stored. A cut at the beginning is not a whole number of frames of the fingerprint. */
const CASES: { name: string; clean: Encoding; dirty: Encoding }[] = (() => {
  const wav = { name: 'WAV', encode: asIs, cut_seconds: 0 }
  const mp3 = (kbps: 64 | 96 | 160, cut_seconds = 0): Encoding => ({
    name: `MP3 ${kbps}`,
    encode: async (mono) => cut(await asMp3(mono, kbps), cut_seconds),
    cut_seconds,
  })
  const quiet = {
    name: 'WAV',
    encode: async (mono: Float32Array) =>
      cut(
        mono.map((x) => x / 2),
        0.185,
      ),
    cut_seconds: 0.185,
  }
  return [
    { name: 'both WAV', clean: wav, dirty: wav },
    { name: 'MP3 at 64 kbit/s, WAV', clean: mp3(64), dirty: wav },
    { name: 'MP3 at 96 kbit/s cut by 0.37 s, MP3 at 160 kbit/s', clean: mp3(96, 0.37), dirty: mp3(160) },
    { name: 'MP3 at 64 kbit/s, WAV 6 dB quieter and cut by 0.19 s', clean: mp3(64), dirty: quiet },
  ]
})()

type Counts = { shown: number; right: number; known: number; found: number; falseWarnings: number; falseSongs: number }

/** Finds known edits of Clean versions, and looks for places where nothing was edited. */
export async function benchVersions(): Promise<Report> {
  const byEdit = new Map(EDITS.map((edit) => [edit, { known: 0, found: 0 }]))
  const counts = CASES.map((): Counts => ({ shown: 0, right: 0, known: 0, found: 0, falseWarnings: 0, falseSongs: 0 }))
  const times: number[] = []
  const bytes: number[] = []
  const compare = (clean: LevelPrint, dirty: LevelPrint) => {
    const start = performance.now()
    const result = findChangedPlaces(clean, dirty)
    times.push(performance.now() - start)
    return result
  }
  for (let n = 0; n < PAIRS; n++) {
    const pair = editedPair(FIRST_SEED + n)
    const prints = new Map<string, LevelPrint>()
    const print = async ({ name, encode, cut_seconds }: Encoding, which: 'clean' | 'dirty') => {
      const key = `${which} ${name} ${cut_seconds}`
      const known = prints.get(key) ?? fingerprintOf(await encode(pair[which]))
      prints.set(key, known)
      return known
    }
    for (const [i, { clean, dirty }] of CASES.entries()) {
      const dirtyPrint = await print(dirty, 'dirty')
      bytes.push(deflateRawSync(dirtyPrint.levels).length / (pair.dirty.length / RATE))
      const found = compare(await print(clean, 'clean'), dirtyPrint)
      judge(counts[i]!, pair, { found, cut_seconds: dirty.cut_seconds, byEdit })
      const same = compare(await print(clean, 'dirty'), dirtyPrint)
      if (!same || same.places.length > 0) counts[i]!.falseSongs++
    }
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!
  const seconds = 180
  return {
    title: 'Clean and Dirty versions',
    findings: [
      ...CASES.flatMap(({ name }, i) => findingsOf(name, counts[i]!)),
      ...[...byEdit].map(([edit, { known, found }]) => ({
        ...{ what: `found of words that are ${edit}`, ours: `${found} of ${known}`, against: '' },
      })),
      { what: 'time to compare two versions of 110 s, median', ours: ms(median(times)), against: '' },
      { what: 'levels stored for a second of audio', ours: `${Math.round(median(bytes))} bytes`, against: '' },
      spectrogramFinding(seconds),
    ],
    notes: [
      `${PAIRS} songs of the demo’s synthesiser that no threshold was chosen with. In each Clean, one to nine words of 0.25 to 0.75 s are silenced, lowered by 15 dB, reversed or covered by a tone, the whole song is muted, or the word is cut out. A sung vowel that is reversed sounds almost the same; spoken words differ more. They are not records: expect less of them.`,
    ],
  }
}

function judge(
  counts: Counts,
  { places }: EditedPair,
  {
    found,
    cut_seconds,
    byEdit,
  }: {
    found: ReturnType<typeof findChangedPlaces>
    cut_seconds: number
    byEdit: Map<string, { known: number; found: number }>
  },
): void {
  const shown = (found?.places ?? []).map(({ dirty_from, dirty_to }) => ({
    from: dirty_from + cut_seconds,
    to: dirty_to + cut_seconds,
  }))
  const isNear = (one: { from: number; to: number }, other: { from: number; to: number }) =>
    one.from < other.to + TOLERANCE && one.to > other.from - TOLERANCE
  counts.shown += shown.length
  counts.right += shown.filter((place) => places.some((known) => isNear(place, known))).length
  for (const known of places) {
    const isFound = shown.some((place) => isNear(place, known))
    const edit = byEdit.get(known.edit)!
    for (const each of [counts, edit]) {
      each.known++
      if (isFound) each.found++
    }
  }
  if (found?.is_same && places.length > 0) counts.falseWarnings++
}

const percent = (part: number, whole: number) => (100 * part) / Math.max(1, whole)

const findingsOf = (name: string, counts: Counts): Finding[] => [
  {
    ...{ what: `places shown that are right: ${name}`, ours: `${counts.right} of ${counts.shown}`, against: '' },
    target: atLeastTarget(percent(counts.right, counts.shown), 98, ' %'),
  },
  {
    ...{ what: `known places found: ${name}`, ours: `${counts.found} of ${counts.known}`, against: '' },
    target: atLeastTarget(percent(counts.found, counts.known), 70, ' %'),
  },
  {
    what: `the same sound with places: ${name}`,
    ours: `${counts.falseSongs} of ${PAIRS} songs`,
    against: '',
    target: atMostTarget(counts.falseSongs, 0),
  },
  {
    what: `edited Cleans warned of as the same: ${name}`,
    ours: `${counts.falseWarnings} of ${PAIRS} songs`,
    against: '',
    target: atMostTarget(counts.falseWarnings, 0),
  },
]

/** CPU time of the spectrogram alone, in blocks as the decoders give them. */
function spectrogramFinding(seconds: number): Finding {
  const block = [0, 1].map(() => Float32Array.from({ length: 4608 }, (_, i) => Math.sin(i * 0.3) * 0.5))
  const run = () => {
    const start = process.cpuUsage()
    const spectrogram = new Spectrogram(RATE)
    for (let at = 0; at < seconds * RATE; at += 4608) spectrogram.push(block)
    spectrogram.finish()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }
  run()
  const used = Math.min(run(), run(), run())
  return {
    ...{ what: `CPU time of the spectrogram of ${seconds} s`, ours: ms(used * 1000), against: '' },
    target: atMostTarget(used * 1000, 30, ' ms'),
  }
}
