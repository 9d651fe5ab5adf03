import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { SongKey } from '@dubplate/contract/keys'
import { analyse } from '../server/src/analysis/analyse.ts'
import type { Analysis } from '../server/src/analysis/analysis.ts'
import { RELIABLE } from '../server/src/analysis/confidence.ts'
import { wavOf } from '../server/src/analysis/make-audio.ts'
import { scoreKeyGuess } from './key-scores.ts'
import { composedSongs, demoSongs, type LabelledSong } from './labelled-songs.ts'
import { atLeastTarget, type Finding, type Report } from './results.ts'

/** The weights were fitted on other songs of the same synthesiser, and on none of the composed ones. */
const SEED = 91
const DEMO_SONGS = 42
const BEAT_TOLERANCE = 0.02
const DOWNBEAT_TOLERANCE = 0.06
/** The usual tolerance in comparisons of beat trackers (MIREX): others are not judged by our own, which is stricter. */
const OTHERS_TOLERANCE = 0.07
/** Share of a song's beats that must be within the tolerance. */
const LEAST_BEATS = 0.9
/**
 * Composed music has no genre, so a range around its tempo is given: ±12 %, the median width of the ranges of
 * genre-tempo.ts.
 */
const GENRE_RANGE = 1.12

type Judged = {
  /** The tempo within 4 % without a range. */
  hasTempo: boolean
  hasExactTempo: boolean
  hasBeats: boolean
  hasDownbeat: boolean
  beat_confidence: number
  downbeat_confidence: number
  /** The same judgement for the beats of aubio; undefined when it is not installed. */
  aubioHasBeats: boolean | undefined
  /** Of 1, as MIREX scores it; undefined when the key is not known. */
  key_score: number | undefined
  sections: { known: number; found: number; recalled: number; right: number }
}

/** Measures beats, bars and sections on songs whose beats are known. */
export async function benchBeats(): Promise<Report> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-bench-beats-'))
  try {
    const made: Judged[] = []
    for (const song of demoSongs(SEED, DEMO_SONGS)) made.push(await judge(folder, song))
    const { songs, missing } = composedSongs(folder)
    const composed: Judged[] = []
    for (const song of songs) {
      const range: [number, number] = [song.bpm / GENRE_RANGE, song.bpm * GENRE_RANGE]
      composed.push(await judge(folder, song, range))
    }
    return {
      title: 'Beats, bars and sections',
      findings: [
        ...findingsOf(`${made.length} demo songs`, made, { beats: 95, downbeats: 95 }),
        ...sectionFindings(made),
        ...(composed.length > 0
          ? [
              ...findingsOf(`${composed.length} composed songs`, composed, { beats: 90, downbeats: 85 }),
              keyFinding(composed),
            ]
          : []),
        ...confidenceFindings([...made, ...composed]),
      ],
      notes: [
        `Demo songs of ${DEMO_SONGS} seeds that nothing was fitted on, half of them after silence or cut into the first bar; no genre was given. Composed songs are MIDI files of openttd-openmsx and Freedoom, played with General MIDI sounds and cut into at a random place; no weight was fitted on any of them, and the range of ±12 % around their tempo was given in place of a genre, except for the tempo without a range. fluidsynth’s delay, measured with a drum, is added to the times of their notes. Neither are records: expect less of them.`,
        `A song’s beats are right when ${LEAST_BEATS * 100} % of them are within ${BEAT_TOLERANCE * 1000} ms, its downbeat when it is within ${DOWNBEAT_TOLERANCE * 1000} ms.`,
        ...missing,
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function judge(folder: string, song: LabelledSong, tempoRange?: [number, number]): Promise<Judged> {
  const file = path.join(folder, 'song.wav')
  writeFileSync(file, wavOf([song.mono], { rate: song.sample_rate }))
  const { bpm, structure, song_key } = await analyse(file, tempoRange ? { tempoRange } : {})
  const tempo = bpm ?? 0
  const tempoWithoutRange = tempoRange ? ((await analyse(file)).bpm ?? 0) : tempo
  const beats = structure ? beatsOf(structure, song) : []
  const downbeats = structure ? beatsOf(structure, song, 4) : []
  return {
    hasTempo: Math.abs(tempoWithoutRange / song.bpm - 1) <= 0.04,
    hasExactTempo: Math.abs(tempo - song.bpm) <= 0.0105,
    hasBeats: areRight(beats, song.beats, BEAT_TOLERANCE),
    hasDownbeat: areRight(downbeats, song.downbeats, DOWNBEAT_TOLERANCE),
    beat_confidence: structure?.grid.beat_confidence ?? 0,
    downbeat_confidence: structure?.grid.downbeat_confidence ?? 0,
    aubioHasBeats: aubioIsRight(file, song),
    key_score: song.song_key && song_key ? scoreKeyGuess(song_key as SongKey, song.song_key) : undefined,
    sections: judgeSections(structure, song),
  }
}

/** Every beat, or every fourth, from the first to the last known one. */
function beatsOf({ grid }: NonNullable<Analysis['structure']>, { beats }: LabelledSong, step = 1): number[] {
  if (grid.tempo_changes.length > 0) return []
  const period = (step * 60) / grid.bpm
  const from = grid.first_downbeat_seconds + Math.ceil((beats[0]! - grid.first_downbeat_seconds) / period) * period
  return Array.from({ length: Math.max(0, Math.floor((beats.at(-1)! - from) / period)) }, (_, n) => from + n * period)
}

const distanceTo = (moments: readonly number[], at: number) =>
  moments.reduce((least, moment) => Math.min(least, Math.abs(moment - at)), Number.POSITIVE_INFINITY)

function areRight(found: readonly number[], known: readonly number[], tolerance: number): boolean {
  // Half or twice as many beats are those of another tempo.
  if (found.length < known.length * 0.8 || found.length > known.length * 1.2) return false
  return found.filter((at) => distanceTo(known, at) <= tolerance).length >= LEAST_BEATS * found.length
}

function aubioIsRight(file: string, { beats }: LabelledSong): boolean | undefined {
  const { error, stdout } = spawnSync('aubio', ['beat', file], { encoding: 'utf8' })
  if (error) return undefined
  const found = stdout.trim().split('\n').map(Number)
  return areRight(
    found.filter((at) => at >= beats[0]! - OTHERS_TOLERANCE && at <= beats.at(-1)! + OTHERS_TOLERANCE),
    beats,
    OTHERS_TOLERANCE,
  )
}

function judgeSections(
  structure: Analysis['structure'],
  { sections = [], bpm, beats }: LabelledSong,
): Judged['sections'] {
  const bar = (240 / bpm) * 1.05
  const isInside = (at: number) => at > beats[0]! + 1 && at < beats.at(-1)! - 1
  const found = (structure?.sections.slice(1) ?? []).map(({ start_seconds }) => start_seconds).filter(isInside)
  return {
    ...{ known: sections.length, found: found.length },
    recalled: sections.filter((at) => distanceTo(found, at) <= bar).length,
    right: found.filter((at) => distanceTo(sections, at) <= bar).length,
  }
}

const formatPercent = (count: number, all: number) => Math.round((count / Math.max(1, all)) * 1000) / 10
const share = <T>(items: readonly T[], predicate: (item: T) => boolean) =>
  formatPercent(items.filter(predicate).length, items.length)

function findingsOf(what: string, judged: Judged[], aims: { beats: number; downbeats: number }): Finding[] {
  const withAubio = judged.filter(({ aubioHasBeats }) => aubioHasBeats !== undefined)
  const aubio =
    withAubio.length > 0 ? `${share(withAubio, (song) => song.aubioHasBeats === true)} (aubio, within 70 ms)` : ''
  const beats = share(judged, ({ hasBeats }) => hasBeats)
  const downbeats = share(judged, ({ hasDownbeat }) => hasDownbeat)
  return [
    {
      what: `tempo within 4 % on ${what} without a range, of 100`,
      ours: `${share(judged, ({ hasTempo }) => hasTempo)}`,
      against: '',
    },
    {
      what: `tempo within 0.01 BPM on ${what}, of 100`,
      ours: `${share(judged, (song) => song.hasExactTempo)}`,
      against: '',
    },
    {
      what: 'beats within 20 ms, of 100 songs',
      ours: `${beats}`,
      against: aubio,
      target: atLeastTarget(beats, aims.beats),
    },
    {
      what: 'first beat of the bar, of 100 songs',
      ours: `${downbeats}`,
      against: '25 (a guess)',
      target: atLeastTarget(downbeats, aims.downbeats),
    },
  ]
}

function keyFinding(judged: Judged[]): Finding {
  const scores = judged.flatMap(({ key_score }) => (key_score === undefined ? [] : [key_score]))
  const points = scores.reduce((sum, score) => sum + score, 0)
  return {
    what: `key on ${scores.length} composed songs whose notes tell it, MIREX score`,
    ours: `${formatPercent(points, scores.length)} (exactly right ${share(scores, (score) => score === 1)} of 100)`,
    against: '',
  }
}

function sectionFindings(judged: Judged[]): Finding[] {
  const sum = (key: keyof Judged['sections']) => judged.reduce((total, { sections }) => total + sections[key], 0)
  const recall = formatPercent(sum('recalled'), sum('known'))
  const precision = formatPercent(sum('right'), sum('found'))
  return [
    {
      what: `sections found within a bar, of 100 (${sum('known')} known)`,
      ours: `${recall}`,
      against: '',
      target: atLeastTarget(recall, 80),
    },
    {
      what: `found sections that are right, of 100 (${sum('found')} found)`,
      ours: `${precision}`,
      against: '',
      target: atLeastTarget(precision, 90),
    },
  ]
}

function confidenceFindings(judged: Judged[]): Finding[] {
  const shown = [
    { what: 'beats', songs: judged.filter((song) => song.beat_confidence >= RELIABLE), isRight: 'hasBeats' },
    { what: 'bars', songs: judged.filter((song) => song.downbeat_confidence >= RELIABLE), isRight: 'hasDownbeat' },
  ] as const
  return shown.map(({ what, songs, isRight }) => {
    const right = share(songs, (song) => song[isRight])
    return {
      what: `${what} that are shown (confidence of ${RELIABLE} or more), right of 100`,
      ours: `${right} (${songs.length} of ${judged.length} songs)`,
      against: '',
      target: atLeastTarget(right, 90),
    }
  })
}
