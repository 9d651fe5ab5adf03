import path from 'node:path'
import type { LosslessSong } from './lossless-songs.ts'
import { run } from './packages.ts'

/** How a song is encoded with loss. */
export type LossyFormat = {
  name: string
  codec: string
  extension: string
  command: (wav: string, to: string) => string[]
}

const ffmpeg = (...args: string[]) => ['ffmpeg', '-v', 'error', '-nostdin', '-y', ...args]
const lame = (name: string, ...options: string[]): LossyFormat => ({
  ...{ name: `MP3 ${name}`, codec: 'MP3', extension: 'mp3' },
  command: (wav, to) => ['lame', '--quiet', ...options, wav, to],
})
const withFfmpeg = (name: string, codec: string, extension: string, ...options: string[]): LossyFormat => ({
  ...{ name, codec, extension },
  command: (wav, to) => ffmpeg('-i', wav, ...options, to),
})

export const LOSSY_FORMATS: readonly LossyFormat[] = [
  lame('192', '--cbr', '-b', '192'),
  lame('256', '--cbr', '-b', '256'),
  lame('320', '--cbr', '-b', '320'),
  lame('V0', '-V', '0'),
  ...['192', '256', '320'].map((kbps) => withFfmpeg(`AAC ${kbps}`, 'AAC', 'm4a', '-b:a', `${kbps}k`)),
  ...['96', '128', '160', '256'].map((kbps) => withFfmpeg(`Opus ${kbps}`, 'Opus', 'opus', '-b:a', `${kbps}k`)),
  ...['6', '9'].map((quality) =>
    withFfmpeg(`Vorbis q${quality}`, 'Vorbis', 'ogg', '-c:a', 'libvorbis', '-q:a', quality),
  ),
]

/** What happens to a decoded song before it is saved, as options of ffmpeg. */
export const CHANGES: Record<string, string[]> = {
  'cut at the start': ['-ss', '1.2345'],
  '3.7 dB quieter': ['-af', 'volume=-3.7dB'],
  'saved with 24 bits': ['-c:a', 'pcm_s24le'],
  'mixed to mono': ['-ac', '1'],
  'two seconds of silence before it': ['-af', 'adelay=2000|2000'],
  'resampled to 96 kHz and back': ['-af', 'aresample=96000,aresample=44100'],
}

/** Encodes a song, decodes it and saves it as WAV. Undefined when a program is missing. */
export function makeLossyCopy(
  folder: string,
  song: LosslessSong,
  format: LossyFormat,
  change: string[] = [],
): string | undefined {
  const lossy = path.join(folder, `copy.${format.extension}`)
  const wav = path.join(folder, 'copy.wav')
  for (const [program, ...args] of [format.command(song.file, lossy), ffmpeg('-i', lossy, ...change, wav)])
    if (run(program!, args).status !== 0) return undefined
  return wav
}
