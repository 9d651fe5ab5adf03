import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type KitSong, SONG_SECONDS } from './songs.ts'

/** Audio files as uploaders send them, made by other programs. */

/** Kilobits per second of the MP3s. */
export const MP3_BITRATE = 128

/** Runs a program and returns what it prints. Throws if it fails. */
export function run(program: string, args: readonly string[], input = ''): string {
  const options = { encoding: 'utf8', input, maxBuffer: 2 ** 28 } as const
  const { status, stdout, stderr, error } = spawnSync(program, args, options)
  if (error || status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`)
  return stdout
}

/** A tone in stereo, written by ffmpeg. */
function writeTone(file: string, hertz: number, sampleRate: number, encoding: readonly string[] = []): void {
  const tone = `sine=frequency=${hertz}:duration=${SONG_SECONDS}:sample_rate=${sampleRate}`
  run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', tone, '-ac', '2', ...encoding, file])
}

const kbits = `${MP3_BITRATE}`

/** Writes an MP3 of each timing case: LAME with a wrong checksum (C), without an info frame (A), and FFmpeg's (B). */
const ENCODE: Record<'A' | 'B' | 'C' | 'D', (wav: string, mp3: string) => void> = {
  A: (wav, mp3) => run('lame', ['--quiet', '-t', '-b', kbits, wav, mp3]),
  B: (wav, mp3) => {
    const codec = ['-c:a', 'libmp3lame', '-b:a', `${kbits}k`, '-id3v2_version', '0']
    run('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', wav, ...codec, mp3])
  },
  C: (wav, mp3) => {
    ENCODE.D(wav, mp3)
    const bytes = readFileSync(mp3)
    const checksumAt = bytes.indexOf('LAME') + 34
    bytes[checksumAt] = bytes[checksumAt]! ^ 0xff
    writeFileSync(mp3, bytes)
  },
  D: (wav, mp3) => run('lame', ['--quiet', '-b', kbits, wav, mp3]),
}

/** An ID3v1 tag, which makes the file of each song another one. */
function id3v1({ number }: KitSong): Buffer {
  const tag = Buffer.alloc(128)
  tag.write('TAG')
  tag.write(plainTitle(number), 3, 'latin1')
  tag.write(plainArtist(number), 33, 'latin1')
  return tag
}

/** The names that the songs are imported with: without digits, which could be a tempo in the name of a file. */
export const plainTitle = (number: number) => `Import ${letters(number)}`
const plainArtist = (number: number) => `Uploader ${letters(number)}`

/** 'Qaa' for 0, 'Qab' for 1. */
const letters = (number: number) => `Q${[Math.floor(number / 26), number % 26].map(toLetter).join('')}`
const toLetter = (index: number) => String.fromCharCode('a'.charCodeAt(0) + index)

/** Writes a file for each song into the folder. */
export function writeAudioFiles(folder: string, songs: readonly KitSong[]): void {
  const scratch = path.join(folder, 'encoded')
  mkdirSync(scratch)
  const encoded = new Map<string, Buffer>()
  for (const song of songs) {
    const { number, sound, sample_rate } = song
    const name = path.join(folder, `${plainArtist(number)} - ${plainTitle(number)} (Clean)`)
    if (sound === 'flac') {
      writeTone(`${name}.flac`, 200 + number, sample_rate, ['-c:a', 'flac', '-map_metadata', '-1'])
      continue
    }
    const key = `${sound} ${sample_rate}`
    const bytes = encoded.get(key) ?? encodeMp3(scratch, sound, sample_rate)
    encoded.set(key, bytes)
    writeFileSync(`${name}.mp3`, Buffer.concat([bytes, id3v1(song)]))
  }
  rmSync(scratch, { recursive: true })
}

function encodeMp3(scratch: string, sound: keyof typeof ENCODE, sampleRate: number): Buffer {
  const [wav, mp3] = [path.join(scratch, 'tone.wav'), path.join(scratch, 'tone.mp3')]
  writeTone(wav, 220, sampleRate)
  ENCODE[sound](wav, mp3)
  return readFileSync(mp3)
}
