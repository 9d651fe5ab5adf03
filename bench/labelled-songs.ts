import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { SongKey } from '@dubplate/contract/keys'
import { between, pick, type Random, seededRandom, seedOf } from '@dubplate/demo/random'
import { type DemoGenre, type Recipe, renderBlocks, SAMPLE_RATE } from '@dubplate/demo/song'
import { arrange } from '@dubplate/demo/sound/arrangement'
import { keyOfNotes } from './key-scores.ts'
import { type MidiSong, readMidi } from './midi.ts'
import { findPackageFolder, readPcm, run } from './packages.ts'
import { midiLumpsOf } from './wad.ts'

/** A song whose beats are known; times are seconds from its first sample. */
export type LabelledSong = {
  name: string
  mono: Float32Array
  sample_rate: number
  bpm: number
  beats: number[]
  downbeats: number[]
  /** Of composed songs whose notes tell it. */
  song_key?: SongKey | undefined
  /** Beginnings of the sections after the first one, where they are known. */
  sections?: number[]
}

const TEMPOS: Record<string, [low: number, high: number]> = {
  ...{ house: [120, 128], techhouse: [124, 130], techno: [130, 140], trance: [134, 140], dnb: [170, 176] },
  ...{ dubstep: [140, 145], trap: [130, 150], hiphop: [82, 98], rnb: [70, 95], reggaeton: [88, 100] },
  ...{ afro: [100, 114], disco: [110, 122], garage: [128, 135], pop: [98, 128] },
}
const VERSIONS = ['Original', 'Extended', 'Intro Clean', 'Instrumental'] as const
const SECONDS = 110

/**
 * Demo songs from seeds that nothing was fitted on. Each begins with silence or is cut into its first bar, so that the
 * first sample is not always a downbeat.
 */
export function* demoSongs(seed: number, count: number): Generator<LabelledSong> {
  const genres = Object.keys(TEMPOS)
  for (let n = 0; n < count; n++) {
    const random = seededRandom(seedOf(seed, `song ${n}`))
    const genre = genres[n % genres.length]!
    const [low, high] = TEMPOS[genre]!
    const tempo = low + random() * (high - low)
    const recipe: Recipe = {
      ...{ seed: between(random, 1, 1e6), genre: genre as DemoGenre, tonic: between(random, 0, 11) },
      ...{ mode: random() < 0.68 ? 'minor' : 'major', version: pick(random, VERSIONS), seconds: SECONDS },
      bpm: random() < 0.7 ? Math.round(tempo) : Math.round(tempo * 100) / 100,
    }
    yield { name: `${genre} ${recipe.bpm}`, ...placed(recipe, random) }
  }
}

function placed(recipe: Recipe, random: Random): Omit<LabelledSong, 'name'> {
  const lead = Math.round((random() < 0.5 ? random() * 3 : 0) * SAMPLE_RATE)
  const cut = lead === 0 && random() < 0.6 ? Math.round(random() * 2 * SAMPLE_RATE) : 0
  const blocks = [...renderBlocks(recipe)]
  const mono = new Float32Array(lead + blocks.reduce((sum, { left }) => sum + left.length, 0))
  let at = lead
  for (const { left, right } of blocks) {
    for (let i = 0; i < left.length; i++) mono[at + i] = (left[i]! + right[i]!) / 2
    at += left.length
  }
  const bars = arrange(recipe)
  const secondsOf = (sample: number) => (sample + lead - cut) / SAMPLE_RATE
  const beats = bars.flatMap(({ start, length }) => [0, 1, 2, 3].map((beat) => secondsOf(start + (beat * length) / 4)))
  return {
    ...{ mono: mono.subarray(cut), sample_rate: SAMPLE_RATE, bpm: recipe.bpm, beats },
    downbeats: bars.map(({ start }) => secondsOf(start)),
    sections: bars.flatMap(({ section, start }, i) =>
      i > 0 && section !== bars[i - 1]!.section ? [secondsOf(start)] : [],
    ),
  }
}

/** MIDI music by other people: files in a folder, or in the archives of a game. */
const MUSIC = [
  { name: 'openttd-openmsx', folder: 'usr/share/games/openttd/baseset/openmsx' },
  { name: 'freedoom', folder: 'usr/share/games/doom' },
] as const
/** The General MIDI sounds it is played with. */
const SOUNDS = { name: 'timgm6mb-soundfont', folder: 'usr/share/sounds/sf2' }
const LONGEST_SECONDS = 150
const LEAST_SECONDS = 25
const LEAST_DRUMS = 60

type MidiFile = { name: string; bytes: Buffer }

function midiFilesOf(folder: string): MidiFile[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const isMidi = name.endsWith('.mid')
      if (!isMidi && !name.endsWith('.wad')) return []
      const bytes = readFileSync(path.join(folder, name))
      return isMidi ? [{ name, bytes }] : midiLumpsOf(bytes).map((lump) => ({ ...lump, name: `${name} ${lump.name}` }))
    })
}

/** Without what occurs twice: the two archives of Freedoom share some songs. */
function distinct(files: MidiFile[]): MidiFile[] {
  const known = new Set<string>()
  return files.filter(({ bytes }) => {
    const content = bytes.toString('latin1')
    return !known.has(content) && known.add(content)
  })
}

/**
 * Composed music, played by fluidsynth and cut into at a random place; its beats are those of its notes. Songs with
 * other metres, changing tempos or freely played notes are left out. Nothing of it was used for fitting.
 */
export function composedSongs(scratch: string): { songs: LabelledSong[]; missing: string[] } {
  const sounds = findPackageFolder(SOUNDS, scratch)
  if (!sounds || run('fluidsynth', ['--version']).status !== 0)
    return { songs: [], missing: ['Without composed music: fluidsynth or timgm6mb-soundfont is not installed.'] }
  const synthesiser = { soundFont: path.join(sounds, 'TimGM6mb.sf2'), scratch }
  const delay = delayOf(synthesiser)
  const songs: LabelledSong[] = []
  const missing: string[] = []
  for (const entry of MUSIC) {
    const folder = findPackageFolder(entry, scratch)
    if (!folder) missing.push(`Without the music of Debian’s ${entry.name}: it could not be downloaded with apt.`)
    for (const { name, bytes } of folder ? distinct(midiFilesOf(folder)) : []) {
      const song = playMidi(bytes, path.basename(name), delay, synthesiser)
      if (song) songs.push({ name, ...song })
    }
  }
  return { songs, missing }
}

type Synthesiser = { soundFont: string; scratch: string }

/** The sound of a MIDI file, mono at 44.1 kHz; undefined when it cannot be played. */
function rendered(bytes: Buffer, { soundFont, scratch }: Synthesiser): Float32Array | undefined {
  const [file, wav] = ['composed.mid', 'composed.wav'].map((name) => path.join(scratch, name)) as [string, string]
  writeFileSync(file, bytes)
  run('fluidsynth', ['-ni', '-g', '0.8', '-r', '44100', '-F', wav, soundFont, file])
  return statSync(wav).size > 0 ? readPcm(wav) : undefined
}

/** How many seconds after its time in the file a note sounds, measured with a single drum. */
function delayOf(synthesiser: Synthesiser): number {
  const at = 0.5
  // 480 ticks per quarter note at 120 BPM: a side stick after one of them.
  const track = Buffer.from([0x83, 0x60, 0x99, 37, 127, 0x83, 0x60, 0x89, 37, 0, 0, 0xff, 0x2f, 0])
  const header = Buffer.from('MThd\0\0\0\x06\0\0\0\x01\x01\xe0MTrk\0\0\0', 'latin1')
  const sound = rendered(Buffer.concat([header, Buffer.from([track.length]), track]), synthesiser)
  if (!sound) return 0
  const peak = sound.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0)
  return sound.findIndex((sample) => Math.abs(sample) > 0.1 * peak) / 44_100 - at
}

function playMidi(
  bytes: Buffer,
  name: string,
  delay: number,
  synthesiser: Synthesiser,
): Omit<LabelledSong, 'name'> | undefined {
  const midi = readMidi(bytes)
  if (!midi || !isSteady(midi)) return undefined
  const whole = rendered(bytes, synthesiser)
  if (!whole) return undefined
  const beat = 60 / midi.bpm
  const random = seededRandom(seedOf(bytes.length, name))
  const cut = Math.max(0, midi.first_beat * beat - 0.3) + random() * 4
  const length = Math.min(LONGEST_SECONDS, midi.last_beat * beat - cut)
  if (length < LEAST_SECONDS) return undefined
  const mono = whole.subarray(Math.round(cut * 44_100), Math.round((cut + length) * 44_100))
  const beats = Array.from({ length: Math.floor(midi.last_beat) + 1 }, (_, n) => n * beat + delay - cut)
  const isInside = (at: number) => at >= 0 && at < length
  return {
    ...{ mono, sample_rate: 44_100, bpm: midi.bpm, beats: beats.filter(isInside) },
    downbeats: beats.filter((at, n) => n % 4 === 0 && isInside(at)),
    song_key: keyOfNotes(midi.pitch_classes),
  }
}

const isSteady = ({ is_steady, drums }: MidiSong) => is_steady && drums >= LEAST_DRUMS
