import { type AudioFormat, type Fault, faultAt } from './faults.ts'
import type { FileWindow } from './file-window.ts'
import { skipLeadingTags } from './mp3-tags.ts'

/**
 * Detects the format by its first bytes: RIFF, RF64 and BW64 (EBU Tech 3306), AIFF and AIFF-C, MP4, Ogg (Vorbis or
 * Opus), FLAC (also after an ID3 tag). MP3 has no such signature, so anything else is undefined until its frames are found.
 */
export function sniffFormat(file: FileWindow): Exclude<AudioFormat, 'mp3' | 'opus'> | undefined {
  const start = file.text(0, 12)
  if (/^(RIFF|RF64|BW64)/.test(start) && start.endsWith('WAVE')) return 'wav'
  if (start.startsWith('FORM') && /AIF[FC]$/.test(start)) return 'aiff'
  if (start.slice(4, 8) === 'ftyp' && !IMAGE_BRAND.test(start)) return 'm4a'
  if (start.startsWith('OggS')) return 'ogg'
  return file.text(skipLeadingTags(file), 4) === 'fLaC' ? 'flac' : undefined
}

/** HEIF and AVIF images are MP4 files too. */
const IMAGE_BRAND = /^.{4}ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/s

const FOREIGN: [name: string, audio: boolean, mark: RegExp][] = [
  ['a Windows Media file', true, /^0&\xb2u/],
  ['a Monkey’s Audio file', true, /^MAC /],
  ['a MIDI file', true, /^MThd/],
  ['a ZIP archive', false, /^PK(?=[^ -~])/],
  ['a RAR archive', false, /^Rar!/],
  ['a PDF document', false, /^%PDF/],
  ['a PNG image', false, /^\x89PNG/],
  ['a JPEG image', false, /^\xff\xd8\xff/],
  ['a HEIF or AVIF image', false, IMAGE_BRAND],
  ['a GIF image', false, /^GIF8/],
  ['a web page', false, /^\s*<(!doctype|html)/i],
]

/** The fault for a file that contains none of the supported audio formats. */
export function foreignFault(file: FileWindow): Fault {
  if (file.size === 0) return { code: 'empty_file', message: 'The file is empty.' }
  if (file.text(0, 3) === 'ID3' && skipLeadingTags(file) > file.size) {
    return faultAt(0, 'truncated', 'The file ends inside its tags and contains no audio.')
  }
  const start = file.bytesUpTo(0, 64).toString('latin1')
  const [name, isAudio] = FOREIGN.find(([, , mark]) => mark.test(start)) ?? ['an unknown file type', false]
  if (isAudio)
    return {
      code: 'unsupported_format',
      message: `This is ${name}. Upload MP3, M4A, OGG, Opus, WAV, FLAC or AIFF instead.`,
    }
  return { code: 'not_audio', message: `This is ${name} and contains no MP3, M4A, OGG, Opus, WAV, FLAC or AIFF audio.` }
}

/** The format that a file's name claims, used when the content is not recognised. */
export function claimedFormat(path: string): AudioFormat {
  if (/\.wave?$/i.test(path)) return 'wav'
  if (/\.flac$/i.test(path)) return 'flac'
  if (/\.(m4a|mp4|alac)$/i.test(path)) return 'm4a'
  if (/\.opus$/i.test(path)) return 'opus'
  if (/\.og[ga]$/i.test(path)) return 'ogg'
  return /\.aif[fc]?$/i.test(path) ? 'aiff' : 'mp3'
}
