import { KEYS, type SongKey } from '@dubplate/contract/keys'
import { between, pick, type Random, seededRandom, seedOf } from '@dubplate/demo/random'
import {
  BASSES,
  createToneCache,
  type Drum,
  drumSound,
  type MakeTone,
  MUSIC_RATE,
  VOICES,
  type Voice,
} from './labelled-sounds.ts'

/** A track whose tempo, key or both are known because it was generated from them. */
export type LabelledTrack = { name: string; kind: string; bpm?: number; song_key?: SongKey; mono: Float32Array }

/** One bar, one character per step; a capital letter is an accent, a dot a rest. */
type Rhythm = {
  bpm: [number, number]
  beats: number
  steps: number
  drums: Partial<Record<Drum, string>>
  /** How late every second step is, as a fraction of a step. */
  swing?: number
  bass: string
}

/** Tempos are written the way dancers and charts count them: trap at half time, six-eight in dotted quarters. */
const RHYTHMS: Record<string, Rhythm> = {
  house: {
    ...{ bpm: [116, 130], beats: 4, steps: 16, bass: '..x...x...x...x.' },
    drums: { kick: 'X...X...X...X...', clap: '....X.......X...', hat: '..X...X...X...X.', shaker: 'x.xxx.xxx.xxx.xx' },
  },
  techno: {
    ...{ bpm: [128, 145], beats: 4, steps: 16, bass: 'x.xx.xx.x.xx.xx.' },
    drums: { kick: 'X...X...X...X...', hat: 'x.X.x.X.x.X.x.X.', rim: '...x..x....x..x.', clap: '............x...' },
  },
  disco: {
    ...{ bpm: [104, 126], beats: 4, steps: 16, bass: 'x...x.x.x...x.xx' },
    drums: { kick: 'X...X...X...X...', snare: '....X.......X...', open: '..X...X...X...X.', hat: 'x.x.x.x.x.x.x.x.' },
  },
  breakbeat: {
    ...{ bpm: [118, 140], beats: 4, steps: 16, bass: 'x.....x...x.....' },
    drums: { kick: 'X.........X.....', snare: '....X..x.x..X..x', hat: 'x.x.x.x.x.x.x.x.' },
  },
  jungle: {
    ...{ bpm: [164, 180], beats: 4, steps: 16, bass: 'x.........x.....' },
    drums: { kick: 'X.X.......XX....', snare: '....X..x.x..X..x', hat: 'x.x.x.x.x.x.x.x.', ride: 'x...x...x...x...' },
  },
  twostep: {
    ...{ bpm: [128, 138], beats: 4, steps: 16, swing: 0.25, bass: 'x..x....x..x..x.' },
    drums: { kick: 'X.........X.....', snare: '....X.......X...', hat: '..x.x.x...x.x.xx', rim: '.......x.....x..' },
  },
  boombap: {
    ...{ bpm: [80, 98], beats: 4, steps: 16, swing: 0.3, bass: 'x......x..x.....' },
    drums: { kick: 'X......x..X.....', snare: '....X.......X...', hat: 'x.x.x.x.x.x.x.x.' },
  },
  trap: {
    ...{ bpm: [65, 80], beats: 4, steps: 32, bass: 'x...........x.........x.........' },
    drums: {
      kick: 'X...........x.......X.........x.',
      snare: '................X...............',
      hat: 'x.x.x.x.x.x.xxx.x.x.x.x.xxxxx.x.',
    },
  },
  dembow: {
    ...{ bpm: [86, 104], beats: 4, steps: 16, bass: 'x.......x.......' },
    drums: { kick: 'X...X...X...X...', snare: '...X..X....X..X.', hat: 'x.x.x.x.x.x.x.x.' },
  },
  afro: {
    ...{ bpm: [100, 122], beats: 4, steps: 16, bass: 'x..x..x...x.x...' },
    drums: { kick: 'X.....x.X.......', rim: 'x..x..x...x.x...', shaker: 'x.xxx.xxx.xxx.xx', conga: '..x..xx...x..xx.' },
  },
  funk: {
    ...{ bpm: [94, 116], beats: 4, steps: 16, bass: 'x..x..x.x.....xx' },
    drums: { kick: 'X.x....x..X..x..', snare: '....X..x.x..X..x', hat: 'X.x.X.x.X.x.X.x.' },
  },
  rock: {
    ...{ bpm: [96, 168], beats: 4, steps: 8, bass: 'xxxxxxxx' },
    drums: { kick: 'X...Xx..', snare: '..X...X.', hat: 'x.x.x.x.' },
  },
  shuffle: {
    ...{ bpm: [96, 134], beats: 4, steps: 12, bass: 'x..x..x..x..' },
    drums: { kick: 'X.....X.....', snare: '...X.....X..', hat: 'x.xx.xx.xx.x' },
  },
  sixeight: {
    ...{ bpm: [48 * 1.5, 96], beats: 2, steps: 12, bass: 'x.....x...x.' },
    drums: { kick: 'X.........x.', snare: '......X.....', hat: 'x.x.x.x.x.x.' },
  },
  bossa: {
    ...{ bpm: [110, 146], beats: 4, steps: 16, bass: 'x.....xxx.....xx' },
    drums: { kick: 'X.....xxX.....xx', rim: 'x..x..x...x..x..', shaker: 'xxxxxxxxxxxxxxxx' },
  },
  halfstep: {
    ...{ bpm: [136, 146], beats: 4, steps: 16, bass: 'x.....x.........' },
    drums: { kick: 'X.....x.........', snare: '........X.......', hat: 'x...x.x.x...x.xx', ride: 'x...x...x...x...' },
  },
}

/** Kinds of rhythm the analyser was never tuned with; they are only measured. */
export const UNSEEN_KINDS: readonly string[] = ['twostep', 'dembow', 'shuffle', 'bossa', 'funk']

export const RHYTHM_KINDS = Object.keys(RHYTHMS)

/** A chord that lasts one bar: semitones above the tonic, and the chord's intervals. */
type Chord = { root: number; shape: number[] }
const major = (root: number): Chord => ({ root, shape: [0, 4, 7] })
const minor = (root: number): Chord => ({ root, shape: [0, 3, 7] })
const seventh = (root: number): Chord => ({ root, shape: [0, 4, 7, 10] })
const minorSeventh = (root: number): Chord => ({ root, shape: [0, 3, 7, 10] })

const PROGRESSIONS: Record<'major' | 'minor', Chord[][]> = {
  major: [
    [major(0), major(7), minor(9), major(5)],
    [major(0), minor(9), major(5), major(7)],
    [major(0), major(5), major(7), major(0)],
    [minorSeventh(2), seventh(7), major(0), minorSeventh(9)],
    [major(0), minor(4), major(5), major(7)],
    [major(0), major(10), major(5), major(0)],
  ],
  minor: [
    [minor(0), major(8), major(3), major(10)],
    [minor(0), minor(5), minor(7), minor(0)],
    [minor(0), minor(5), major(10), major(3)],
    [minor(0), major(10), major(8), major(7)],
    [minor(0), major(8), minor(5), seventh(7)],
    [minorSeventh(0), minorSeventh(0), minorSeventh(5), minorSeventh(0)],
  ],
}
const SCALES = { major: [0, 2, 4, 7, 9], minor: [0, 3, 5, 7, 10] }

export type Score = {
  seed: number
  rhythm: string
  bpm: number
  tonic: number
  mode: 'major' | 'minor'
  cents: number
  seconds: number
  hasDrums: boolean
  hasHarmony: boolean
}

function add(out: Float32Array, at: number, sound: Float32Array, gain: number): void {
  const start = Math.round(at)
  const length = Math.min(sound.length, out.length - start)
  for (let i = 0; i < length; i++) out[start + i]! += sound[i]! * gain
}

type Bar = { start: number; step: number; rhythm: Rhythm; index: number }

/** Start of a step within a bar, including swing. Real players are inexact, so it varies by a millisecond or two. */
function stepStart({ start, step, rhythm }: Bar, index: number, random: Random): number {
  const swingOffset = index % 2 === 1 ? (rhythm.swing ?? 0) * step : 0
  return start + index * step + swingOffset + (random() - 0.5) * 0.003 * MUSIC_RATE
}

function playDrums(out: Float32Array, bar: Bar, kit: Map<Drum, Float32Array>, random: Random): void {
  const isFill = bar.index % 8 === 7
  for (const [drum, line] of Object.entries(bar.rhythm.drums) as [Drum, string][]) {
    for (let step = 0; step < bar.rhythm.steps; step++) {
      const character = line[step]!
      const isGhost = isFill && drum === 'snare' && step >= bar.rhythm.steps * 0.75
      if (character === '.' && !isGhost) continue
      const accent = character === 'X' ? 1 : 0.6
      add(out, Math.max(0, stepStart(bar, step, random)), kit.get(drum)!, accent * (0.85 + 0.3 * random()))
    }
  }
}

type Band = { voice: Voice; lead: Voice; bass: Voice; melody: (number | null)[]; tuning: number; tone: MakeTone }

const midi = (tonic: number, steps: number, octave: number) => 12 * octave + tonic + steps

function playHarmony(out: Float32Array, bar: Bar, score: Score, band: Band): void {
  const { rhythm, step, start } = bar
  const progression = PROGRESSIONS[score.mode][score.seed % PROGRESSIONS[score.mode].length]!
  const chord = progression[bar.index % progression.length]!
  const length = step * rhythm.steps
  const hertz = (note: number) => 440 * 2 ** ((note - 69 + band.tuning) / 12)
  for (const interval of chord.shape) {
    add(out, start, band.tone(band.voice, hertz(midi(score.tonic, (chord.root + interval) % 12, 5)), length), 0.11)
  }
  for (let i = 0; i < rhythm.steps; i++) {
    if (rhythm.bass[i] === '.') continue
    add(out, start + i * step, band.tone(band.bass, hertz(midi(score.tonic, chord.root % 12, 3)), step * 1.6), 0.24)
  }
  band.melody.forEach((degree, i) => {
    if (degree === null || bar.index % 4 === 3) return
    const at = start + (i * length) / band.melody.length
    add(out, at, band.tone(band.lead, hertz(midi(score.tonic, degree, 6)), length / band.melody.length), 0.1)
  })
}

/** Whether a bar has drums and harmony: drums first, then harmony alone, then both. */
function layersOf(score: Score, bar: number): { drums: boolean; harmony: boolean } {
  if (!score.hasDrums || !score.hasHarmony) return { drums: score.hasDrums, harmony: score.hasHarmony }
  if (bar < 2) return { drums: true, harmony: false }
  return { drums: bar % 16 < 12, harmony: true }
}

/** Renders a score: mono, 44.1 kHz, peaks at 0.9. */
export function renderScore(score: Score): Float32Array {
  const random = seededRandom(seedOf(score.seed, `${score.rhythm} ${score.hasDrums}`))
  const rhythm = RHYTHMS[score.rhythm]!
  const out = new Float32Array(score.seconds * MUSIC_RATE)
  const kit = new Map((Object.keys(rhythm.drums) as Drum[]).map((drum) => [drum, drumSound(drum, random)]))
  const scale = SCALES[score.mode]
  const band: Band = {
    ...{ voice: pick(random, VOICES), lead: pick(random, VOICES), bass: pick(random, BASSES) },
    melody: Array.from({ length: 8 }, (_, i) => (i === 0 ? 0 : random() < 0.4 ? null : pick(random, scale))),
    tuning: score.cents / 100,
    tone: createToneCache(),
  }
  const barSamples = (rhythm.beats * 60 * MUSIC_RATE) / score.bpm
  for (let index = 0; index * barSamples < out.length; index++) {
    const bar = { start: index * barSamples, step: barSamples / rhythm.steps, rhythm, index }
    const layers = layersOf(score, index)
    if (layers.drums) playDrums(out, bar, kit, random)
    if (layers.harmony) playHarmony(out, bar, score, band)
  }
  const peak = out.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 1e-9)
  return out.map((sample) => (sample / peak) * 0.9)
}

function keyOf(score: Score): SongKey {
  return KEYS[score.mode === 'major' ? score.tonic : 12 + score.tonic]!
}

const twoDigits = (value: number) => Math.round(value * 100) / 100

/** Draws a tempo within the rhythm's range: whole BPM for half of the tracks, fractional for the others. */
function tempoIn([low, high]: [number, number], random: Random): number {
  const bpm = low + random() * (high - low)
  return random() < 0.5 ? Math.round(bpm) : twoDigits(bpm)
}

/**
 * Tracks of known tempo: every rhythm `perKind` times, every third one without harmony. Each seed gives different
 * tracks.
 */
export function* tempoTracks(seed: number, perKind: number): Generator<LabelledTrack> {
  for (const rhythm of RHYTHM_KINDS) {
    for (let n = 0; n < perKind; n++) {
      const random = seededRandom(seedOf(seed, `${rhythm} ${n}`))
      const bpm = tempoIn(RHYTHMS[rhythm]!.bpm, random)
      const score: Score = {
        ...{ seed: between(random, 1, 1e6), rhythm, bpm, tonic: between(random, 0, 11), seconds: 36 },
        ...{ mode: pick(random, ['major', 'minor'] as const), cents: between(random, -30, 30) },
        ...{ hasDrums: true, hasHarmony: n % 3 !== 2 },
      }
      yield { name: `${rhythm} ${bpm}`, kind: rhythm, bpm, mono: renderScore(score) }
    }
  }
}

/** Tracks of known key: every key `perKey` times, every third one without drums. */
export function* keyTracks(seed: number, perKey: number): Generator<LabelledTrack> {
  for (const [index, song_key] of KEYS.entries()) {
    for (let n = 0; n < perKey; n++) {
      const random = seededRandom(seedOf(seed, `${song_key} ${n}`))
      const rhythm = pick(random, RHYTHM_KINDS)
      const score: Score = {
        ...{ seed: between(random, 1, 1e6), rhythm, bpm: tempoIn(RHYTHMS[rhythm]!.bpm, random), seconds: 36 },
        ...{ tonic: index % 12, mode: index < 12 ? 'major' : 'minor', cents: between(random, -30, 30) },
        ...{ hasDrums: n % 3 !== 2, hasHarmony: true },
      }
      yield {
        name: `${song_key} ${rhythm}`,
        kind: score.hasDrums ? 'with drums' : 'without',
        song_key: keyOf(score),
        mono: renderScore(score),
      }
    }
  }
}
