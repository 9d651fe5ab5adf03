import type { Random } from '@dubplate/demo/random'

export const MUSIC_RATE = 44_100

export type Drum = 'kick' | 'snare' | 'clap' | 'hat' | 'open' | 'shaker' | 'rim' | 'ride' | 'conga'

type DrumVoice = { seconds: number; hz: number; drop: number; tone: number; noise: number; bright: number }

const DRUM_VOICES: Record<Drum, DrumVoice> = {
  kick: { seconds: 0.3, hz: 52, drop: 3, tone: 0.9, noise: 0.05, bright: 0 },
  snare: { seconds: 0.2, hz: 190, drop: 0.4, tone: 0.35, noise: 0.45, bright: 0.3 },
  clap: { seconds: 0.16, hz: 900, drop: 0, tone: 0.05, noise: 0.5, bright: 0.5 },
  hat: { seconds: 0.05, hz: 8000, drop: 0, tone: 0.02, noise: 0.3, bright: 1 },
  open: { seconds: 0.25, hz: 8000, drop: 0, tone: 0.02, noise: 0.25, bright: 1 },
  shaker: { seconds: 0.07, hz: 6000, drop: 0, tone: 0, noise: 0.16, bright: 1 },
  rim: { seconds: 0.05, hz: 1100, drop: 0.2, tone: 0.35, noise: 0.1, bright: 0.5 },
  ride: { seconds: 0.4, hz: 5200, drop: 0, tone: 0.06, noise: 0.14, bright: 1 },
  conga: { seconds: 0.18, hz: 240, drop: 0.15, tone: 0.4, noise: 0.05, bright: 0.3 },
}

/** Renders one drum of a random kit: pitch, length and timbre vary with the random numbers. */
export function drumSound(drum: Drum, random: Random): Float32Array {
  const { seconds, hz, drop, tone: body, noise: randomBytes, bright } = DRUM_VOICES[drum]
  const vary = (share: number) => 1 + (random() - 0.5) * share
  const [length, pitch, fall] = [seconds * vary(0.8), hz * vary(0.4), 5 * vary(0.6)]
  let phase = 0
  let last = 0
  return Float32Array.from({ length: Math.round(length * MUSIC_RATE) }, (_, i) => {
    const time = i / MUSIC_RATE
    phase += (2 * Math.PI * pitch * (1 + drop * Math.exp(-time * 40))) / MUSIC_RATE
    const hiss = random() * 2 - 1
    const filteredNoise = hiss - bright * last
    last = hiss
    return (body * Math.sin(phase) + randomBytes * filteredNoise) * Math.exp((-fall * time) / length)
  })
}

/** Parameters of a tone: strengths of its harmonics, attack and decay, vibrato and tremolo. */
export type Voice = { harmonics: number[]; attack: number; fall: number; vibrato: number; tremolo: number }

export const VOICES: readonly Voice[] = [
  { harmonics: [1, 0.3, 0.12, 0.05], attack: 0.005, fall: 2.5, vibrato: 0, tremolo: 0.3 },
  { harmonics: [1, 0, 0.5, 0, 0.25, 0, 0.12], attack: 0.01, fall: 0.3, vibrato: 0.002, tremolo: 0 },
  {
    harmonics: [1, 0.5, 0.33, 0.25, 0.2, 0.17, 0.14, 0.12, 0.1],
    attack: 0.12,
    fall: 0.2,
    vibrato: 0.003,
    tremolo: 0.1,
  },
  { harmonics: [1, 0.7, 0.6, 0.3, 0.2, 0.1], attack: 0.002, fall: 6, vibrato: 0, tremolo: 0 },
  { harmonics: [1, 0.9, 0.2, 0.5, 0, 0.3], attack: 0.02, fall: 0.6, vibrato: 0.004, tremolo: 0.2 },
]

const TABLE = 2048

function table(harmonics: readonly number[]): Float32Array {
  return Float32Array.from({ length: TABLE }, (_, i) =>
    harmonics.reduce((sum, strength, n) => sum + strength * Math.sin((2 * Math.PI * (n + 1) * i) / TABLE), 0),
  )
}

const tables = new Map<readonly number[], Float32Array>()

function tableOf(harmonics: readonly number[]): Float32Array {
  const kept = tables.get(harmonics) ?? table(harmonics)
  tables.set(harmonics, kept)
  return kept
}

function makeTone(voice: Voice, hertz: number, length: number): Float32Array {
  const wave = tableOf(voice.harmonics)
  const seconds = length / MUSIC_RATE
  let phase = 0
  return Float32Array.from({ length: Math.round(length) }, (_, i) => {
    const time = i / MUSIC_RATE
    phase += (hertz * (1 + voice.vibrato * Math.sin(33 * time)) * TABLE) / MUSIC_RATE
    const edge = Math.min(1, time / voice.attack, (seconds - time) / 0.01)
    const level = edge * Math.exp(-voice.fall * time) * (1 - voice.tremolo * (0.5 + 0.5 * Math.sin(28 * time)))
    return wave[Math.floor(phase) % TABLE]! * level
  })
}

export const BASSES: readonly Voice[] = [
  { harmonics: [1, 0.5, 0.33, 0.25, 0.2], attack: 0.004, fall: 3, vibrato: 0, tremolo: 0 },
  { harmonics: [1, 0, 0.33, 0, 0.2], attack: 0.004, fall: 4, vibrato: 0, tremolo: 0 },
  { harmonics: [1, 0.1], attack: 0.008, fall: 2, vibrato: 0, tremolo: 0 },
]

export type MakeTone = typeof makeTone

/** Caches tones: a track repeats a small number of them. */
export function createToneCache(): MakeTone {
  const toneCaches = new Map<Voice, Map<string, Float32Array>>()
  return (voice, hertz, length) => {
    const toneCache = toneCaches.get(voice) ?? new Map<string, Float32Array>()
    toneCaches.set(voice, toneCache)
    const name = `${hertz.toFixed(3)} ${Math.round(length)}`
    const result = toneCache.get(name) ?? makeTone(voice, hertz, length)
    toneCache.set(name, result)
    return result
  }
}
