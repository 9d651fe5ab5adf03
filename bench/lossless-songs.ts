import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pick, seededRandom, seedOf } from '@dubplate/demo/random'
import { type DemoGenre, renderBlocks } from '@dubplate/demo/song'
import { noise, tune, wavOf } from '../server/src/analysis/make-audio.ts'
import { keyTracks } from './labelled-music.ts'
import { findPackageFolder, run } from './packages.ts'

/** A WAV file that never was encoded with loss. */
export type LosslessSong = { kind: string; file: string }

const SECONDS = 24
const RATE = 44_100
const GENRES: readonly DemoGenre[] = [
  ...(['house', 'techhouse', 'techno', 'trance', 'dnb', 'dubstep', 'trap'] as const),
  ...(['hiphop', 'rnb', 'reggaeton', 'afro', 'disco', 'garage', 'pop'] as const),
]
const MUSIC = { name: 'openttd-openmsx', folder: 'usr/share/games/openttd/baseset/openmsx' }
const SOUNDS = { name: 'timgm6mb-soundfont', folder: 'usr/share/sounds/sf2' }

type Channels = Float32Array[]

/** Songs as they come out of a synthesiser: 14 of the demo, 10 with known keys, and composed ones where they can be played. */
export function makeSongs(folder: string, seed: number): LosslessSong[] {
  const songs: LosslessSong[] = []
  GENRES.forEach((genre, n) => {
    songs.push(save(folder, 'demo', `${genre}-${seed}`, demoSong(genre, seed * 100 + n)))
  })
  let count = 0
  for (const { mono } of keyTracks(seed, 1)) {
    if (count++ % 2 === 1) continue
    // A second channel with an echo, so that both differ.
    const echo = mono.map((sample, i) => sample * 0.8 + (mono[i - 700] ?? 0) * 0.2)
    songs.push(
      save(
        folder,
        'synthesised',
        `key-${count}-${seed}`,
        [mono, echo].map((one) => one.slice(0, SECONDS * RATE)),
      ),
    )
  }
  return [...songs, ...composedSongs(folder, seed)]
}

function save(
  folder: string,
  kind: string,
  name: string,
  channels: Channels,
  shape: Parameters<typeof wavOf>[1] = {},
): LosslessSong {
  const file = path.join(folder, `${kind.replaceAll(' ', '-')}-${name}.wav`)
  writeFileSync(file, wavOf(channels, shape))
  return { kind, file }
}

function demoSong(genre: DemoGenre, seed: number): Channels {
  const random = seededRandom(seedOf(seed, genre))
  const recipe = { seed, genre, tonic: seed % 12, mode: 'minor', version: 'Original', seconds: 60 } as const
  const left = new Float32Array(SECONDS * RATE)
  const right = new Float32Array(SECONDS * RATE)
  let at = -Math.floor((8 + 4 * random()) * RATE)
  for (const block of renderBlocks({ ...recipe, bpm: 90 + Math.floor(random() * 84) })) {
    for (let i = Math.max(0, -at); i < block.left.length && at + i < left.length; i++) {
      left[at + i] = block.left[i]!
      right[at + i] = block.right[i]!
    }
    at += block.left.length
    if (at >= left.length) break
  }
  return [left, right]
}

/** MIDI music of Debian's openttd-openmsx, half of it for each parity of the seed, played by fluidsynth. */
function composedSongs(folder: string, seed: number): LosslessSong[] {
  const sounds = findPackageFolder(SOUNDS, folder)
  const music = findPackageFolder(MUSIC, folder)
  if (!sounds || !music) return []
  const names = readdirSync(music)
    .filter((name) => name.endsWith('.mid'))
    .sort()
    .filter((_, n) => n % 2 === seed % 2)
  return names.flatMap((name) => {
    const whole = path.join(folder, 'composed.wav')
    const file = path.join(folder, `composed-${path.basename(name, '.mid')}.wav`)
    const rate = names.indexOf(name) % 3 === 2 ? '48000' : '44100'
    const font = path.join(sounds, 'TimGM6mb.sf2')
    run('fluidsynth', ['-ni', '-q', '-g', '0.7', '-r', rate, '-F', whole, font, path.join(music, name)])
    const { status } = run('sox', [whole, file, 'trim', '15', String(SECONDS)])
    return status === 0 ? [{ kind: rate === '48000' ? 'composed at 48 kHz' : 'composed', file }] : []
  })
}

/** What mastering and editing do, as effects of sox. */
const EFFECTS: Record<string, { output?: string[]; effects: string[] }[]> = {
  'low-passed': ['16k', '19k', '20k'].map((hz) => ({ effects: ['sinc', `-${hz}`] })),
  resampled: [
    { effects: ['rate', '-v', '48000', 'rate', '-v', '44100'] },
    { effects: ['rate', '-v', '48000'] },
    { effects: ['rate', '-l', '32000', 'rate', '-l', '44100'] },
  ],
  stretched: [{ effects: ['tempo', '1.06'] }, { effects: ['speed', '1.031', 'rate', '44100'] }],
  limited: [
    { effects: ['gain', '9'] },
    { effects: ['compand', '0.005,0.1', '-30,-12,-6,-2,0,-1', '6'] },
    { effects: ['overdrive', '12', '20'] },
  ],
  '24 bits': [{ output: ['-b', '24'], effects: ['gain', '-1.7'] }],
  '8 bits': [{ output: ['-b', '8', '-e', 'unsigned-integer'], effects: ['gain', '-1'] }],
  mono: [{ output: ['-c', '1'], effects: [] }],
  quiet: [{ effects: ['gain', '-46'] }, { effects: ['gain', '-30'] }],
  dithered: [{ effects: ['gain', '-3.3', 'dither', '-s'] }, { effects: ['gain', '-20', 'dither'] }],
  equalised: [{ effects: ['treble', '+9', 'gain', '-6'] }, { effects: ['reverb', '60'] }, { effects: ['flanger'] }],
}

export function processSongs(folder: string, songs: LosslessSong[], each: number): LosslessSong[] {
  return Object.entries(EFFECTS).flatMap(([kind, variants], k) =>
    Array.from({ length: each }, (_, n) => {
      const { output = ['-b', '16'], effects } = variants[n % variants.length]!
      const source = songs[(k * 7 + n * 5) % songs.length]!
      const file = path.join(folder, `${kind.replaceAll(' ', '-')}-${n}-${path.basename(source.file)}`)
      run('sox', [source.file, ...output, file, ...effects])
      return { kind, file }
    }),
  )
}

const samplesOf = (sampleAt: (i: number) => number, seconds = SECONDS) =>
  Float32Array.from({ length: seconds * RATE }, (_, i) => sampleAt(i))

/** Frames of MP3, AAC and Vorbis, Opus; and of two of them. */
const FRAMES = [576, 1024, 960, 1152, 2048, 9216, 18_432, 23_040]

/** Sounds that a search for zeros could mistake: exact periods, silence, repetition, noise. */
export function makeUnusualSounds(folder: string, seed: number): LosslessSong[] {
  const random = seededRandom(seedOf(seed, 'unusual sounds'))
  const hiss = noise(seed)
  const all: LosslessSong[] = []
  const add = (kind: string, channels: Channels, shape = {}) =>
    all.push(save(folder, kind, `${all.length}-${seed}`, channels, shape))
  for (let n = 0; n < 20; n++) add('tune', tune({ seed: seed * 50 + n, seconds: SECONDS }))
  for (const period of [64, 128, 72, 96, 100, 147, 36, 512]) {
    const note = () => period * pick(random, [1, 2, 3, 4, 1.5, 0.75])
    const notes = Array.from({ length: 200 }, note)
    const square = samplesOf((i) => (i % notes[Math.floor(i / 4608)]! < notes[Math.floor(i / 4608)]! / 2 ? 0.4 : -0.4))
    const pulse = samplesOf((i) => (i % notes[Math.floor(i / 6144)]! < notes[Math.floor(i / 6144)]! / 8 ? 0.3 : 0))
    add('chiptune', [square, pulse])
  }
  for (const frame of FRAMES) {
    const song = demoSong(pick(random, GENRES), Math.floor(random() * 1000))
    const length = frame * Math.ceil(30_000 / frame)
    add(
      'loop',
      song.map((channel) => samplesOf((i) => channel[100_000 + (i % length)]!)),
    )
    const [dark] = tune({ seed: seed * 90 + frame, seconds: 3 })
    add('loop', [samplesOf((i) => dark![40_000 + (i % length)]!)])
    const short = song.map((channel) => samplesOf((i) => channel[100_000 + (i % frame)]!))
    add('loop of a frame', short)
    const click = samplesOf((i) => (i % (frame * 4) === 333 ? 0.8 : 0))
    add('clicks', [click, samplesOf((i) => (i % frame === 7 ? 0.5 : i % frame === 8 ? -0.5 : 0))])
  }
  let brown = 0
  add('noise', [samplesOf(() => hiss() * 0.3), samplesOf(() => hiss() * 0.3)])
  add('noise', [samplesOf(() => hiss() * 0.001), samplesOf(() => hiss() * 0.001)])
  add('noise', [samplesOf(() => (brown = brown * 0.995 + hiss() * 0.02))])
  add('noise', [samplesOf((i) => hiss() * 0.4 * Math.max(0, Math.sin(i / 9000)) ** 4)])
  for (let n = 0; n < 4; n++) add('piano', [sparsePiano(random), sparsePiano(random)])
  add('sweep', [
    samplesOf((i) => 0.5 * Math.sin((i * i) / 3e5)),
    samplesOf((i) => 0.5 * Math.sin((i % 65_536) ** 2 / 4e4)),
  ])
  add('tones', [
    samplesOf((i) =>
      [86.1328125, 172.265625, 3445.3125, 8613.28125].reduce(
        (sum, hz) => sum + 0.2 * Math.sin((2 * Math.PI * hz * i) / RATE),
        0,
      ),
    ),
    samplesOf((i) =>
      [430.6640625, 5512.5, 11_025].reduce((sum, hz) => sum + 0.2 * Math.cos((2 * Math.PI * hz * i) / RATE), 0),
    ),
  ])
  return all
}

/** Single notes with long pauses. */
function sparsePiano(random: () => number): Float32Array {
  const out = new Float32Array(SECONDS * RATE)
  for (let at = random() * RATE; at < out.length - RATE; at += (0.5 + 2 * random()) * RATE) {
    const hz = 110 * 2 ** (Math.floor(random() * 36) / 12)
    for (let i = 0; i < 3 * RATE && at + i < out.length; i++) {
      const t = i / RATE
      let sample = 0
      for (let h = 1; h <= 12; h++)
        sample +=
          (Math.sin(2 * Math.PI * hz * h * Math.sqrt(1 + 0.0003 * h * h) * t) * Math.exp(-t * (1 + 0.8 * h))) / h ** 1.3
      out[Math.floor(at) + i]! += 0.2 * sample
    }
  }
  return out
}

/** At least 200 files of more than ten kinds. */
export function makeLosslessFiles(folder: string, seed: number): LosslessSong[] {
  const songs = makeSongs(folder, seed)
  const masters = songs.filter(({ kind }) => kind !== 'composed at 48 kHz')
  return [...songs, ...processSongs(folder, masters, 10), ...makeUnusualSounds(folder, seed)]
}
