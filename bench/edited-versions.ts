import { between, pick, type Random, seededRandom, seedOf } from '@dubplate/demo/random'
import { type DemoGenre, type DemoVersion, renderBlocks, SAMPLE_RATE } from '@dubplate/demo/song'
import { FingerprintStream } from '../server/src/analysis/fingerprint.ts'
import { decodeMp3Buffer } from '../server/src/analysis/make-audio.ts'
import { HalfRate, ResamplerChain } from '../server/src/analysis/resample.ts'
import { encodeMp3 } from '../server/test/encoded-mp3.ts'

/** How a word is removed from a Clean version. */
export const EDITS = ['silence', 'reversed', 'beep', 'lowered', 'muted', 'cut'] as const
export type Edit = (typeof EDITS)[number]
/** A part of the Dirty version that its Clean version changes, in seconds. */
export type EditedPlace = { edit: Edit; from: number; to: number }
export type EditedPair = { name: string; dirty: Float32Array; clean: Float32Array; places: EditedPlace[] }

const GENRES: readonly DemoGenre[] = [
  ...(['house', 'techhouse', 'techno', 'trance', 'dnb', 'dubstep', 'trap'] as const),
  ...(['hiphop', 'rnb', 'reggaeton', 'afro', 'disco', 'garage', 'pop'] as const),
]
const SECONDS = 110
/** Words begin at least this far from each other. */
const APART_SECONDS = 4
/** Mean square of a voice that is heard in the mix. */
const VOICED_POWER = 1e-3
const LOWERED_GAIN = 10 ** (-15 / 20)
const BEEP_HZ = 1000
const FADE_SAMPLES = 220

function render(seed: number, genre: DemoGenre, version: DemoVersion): Float32Array {
  const random = seededRandom(seedOf(seed, 'recipe'))
  const bpm = between(random, 84, 140)
  const recipe = { seed, genre, bpm, version, tonic: between(random, 0, 11), mode: 'minor', seconds: SECONDS } as const
  const blocks = [...renderBlocks(recipe)]
  const mono = new Float32Array(blocks.reduce((sum, { left }) => sum + left.length, 0))
  let at = 0
  for (const { left, right } of blocks) {
    for (let i = 0; i < left.length; i++) mono[at + i] = (left[i]! + right[i]!) * 0.35
    at += left.length
  }
  return mono
}

function power(samples: Float32Array, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += samples[i]! ** 2
  return sum / (to - from)
}

/** Words of the voice at random times, in samples. */
function pickWords(random: Random, voice: Float32Array): { from: number; to: number }[] {
  const words: { from: number; to: number }[] = []
  const count = between(random, 1, 9)
  for (let tries = 0; tries < 400 && words.length < count; tries++) {
    const from = Math.floor((4 + random() * (voice.length / SAMPLE_RATE - 10)) * SAMPLE_RATE)
    const to = from + Math.floor((0.25 + random() * 0.5) * SAMPLE_RATE)
    const isApart = words.every((word) => Math.abs(word.from - from) > APART_SECONDS * SAMPLE_RATE)
    if (isApart && power(voice, from, to) > VOICED_POWER) words.push({ from, to })
  }
  return words.sort((a, b) => a.from - b.from)
}

/** 0 outside of a word, 1 within it, with short fades. */
const fadeAt = (i: number, from: number, to: number) => Math.min(1, (i - from) / FADE_SAMPLES, (to - i) / FADE_SAMPLES)

function editedVoice(voice: Float32Array, edit: Edit, { from, to }: { from: number; to: number }): Float32Array {
  const level = Math.sqrt(2 * power(voice, from, to))
  return Float32Array.from({ length: to - from }, (_, k) => {
    const i = from + k
    const original = voice[i]!
    const fade = fadeAt(i, from, to)
    if (edit === 'silence') return original * (1 - fade)
    if (edit === 'lowered') return original * (1 - fade * (1 - LOWERED_GAIN))
    if (edit === 'reversed') return original * (1 - fade) + voice[to - 1 - k]! * fade
    if (edit === 'beep')
      return original * (1 - fade) + level * Math.sin((2 * Math.PI * BEEP_HZ * i) / SAMPLE_RATE) * fade
    return original
  })
}

/** A Dirty version from the demo’s synthesiser, and a Clean version of it with known places that differ. */
export function editedPair(seed: number): EditedPair {
  const random = seededRandom(seedOf(seed, 'edits'))
  const genre = GENRES[seed % GENRES.length]!
  const music = render(seed, genre, 'Instrumental')
  const voice = render(seed, genre, 'Acapella')
  const dirty = music.map((sample, i) => sample + (voice[i] ?? 0))
  const parts: Float32Array[] = []
  const places: EditedPlace[] = []
  let at = 0
  for (const word of pickWords(random, voice)) {
    const edit = pick(random, EDITS)
    const { from, to } = word
    parts.push(dirty.subarray(at, from))
    if (edit === 'muted') parts.push(dirty.slice(from, to).map((x, k) => x * (1 - fadeAt(from + k, from, to))))
    else if (edit !== 'cut') parts.push(editedVoice(voice, edit, word).map((sample, k) => sample + music[from + k]!))
    places.push({ edit, from: from / SAMPLE_RATE, to: to / SAMPLE_RATE })
    at = to
  }
  parts.push(dirty.subarray(at))
  const clean = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let filled = 0
  for (const part of parts) {
    clean.set(part, filled)
    filled += part.length
  }
  return { name: `${genre} ${seed}`, dirty, clean, places }
}

export const asMp3 = async (mono: Float32Array, bitrate: 64 | 96 | 128 | 160) =>
  (await decodeMp3Buffer(await encodeMp3([mono], { sampleRate: SAMPLE_RATE, bitrate })))[0]!

export function fingerprintOf(mono: Float32Array): { codes: Int32Array; levels: Uint8Array } {
  const resampler = new ResamplerChain([new HalfRate(), new HalfRate()])
  const stream = new FingerprintStream()
  stream.push(resampler.push(mono))
  return { codes: stream.codes(), levels: stream.levels() }
}
