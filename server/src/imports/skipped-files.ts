import path from 'node:path'
import type { Fault } from '../audio-files/faults.ts'
import type { DetectedDetails } from './file-details.ts'

/** Why a file was not imported, as shown in the table. */
export type SkipReason =
  | 'already in the catalogue'
  | 'duplicate in folder'
  | 'damaged'
  | 'empty file'
  | 'not an audio file'
  | 'unsupported format'
  | 'missing artist or title'
  | 'unpublished'
  | 'unreadable'
  | 'symbolic link'
  | 'not uploaded'
  | 'left out'
  | 'analysis failed'
  | 'failed'

export type Skipped = {
  path: string
  reason: SkipReason
  detail: string
  /** In a preview: the detected details, which staff can change. */
  found?: DetectedDetails
  audio_seconds?: number
}

/** Extensions of audio and music files in unsupported formats. */
const UNSUPPORTED_EXTENSIONS = /\.(m4p|m4b|mp4|aac|wma|alac|ape|wv|mpc|mp2|dsf|dff|caf|amr|ac3|mka|mid|midi)$/i

/** Reading an MP4 file says in more detail why it is not supported. */
const MP4_EXTENSIONS = /\.(m4[abp]|mp4)$/i

const REASONS: Record<string, SkipReason> = {
  empty_file: 'empty file',
  not_audio: 'not an audio file',
  unsupported_format: 'unsupported format',
}

export const isUnreadKind = (file: string): boolean => UNSUPPORTED_EXTENSIONS.test(file)

/** Returns the skip reason for a fault found in the structure or while decoding. */
export function skippedFor(file: string, fault: Fault): Skipped {
  const reason = REASONS[fault.code] ?? 'damaged'
  const isUnsupportedAudio = fault.code === 'not_audio' || fault.code === 'unsupported_format'
  if (isUnsupportedAudio && isUnreadKind(file) && !MP4_EXTENSIONS.test(file)) {
    const kind = path.extname(file).slice(1).toUpperCase()
    return {
      path: file,
      reason: 'unsupported format',
      detail: `${kind} isn’t supported. Convert the file to MP3, M4A, OGG, Opus, WAV, FLAC or AIFF.`,
    }
  }
  const place = fault.at_seconds ? ` (at ${formatDuration(fault.at_seconds)})` : ''
  return { path: file, reason, detail: `${fault.message}${place}` }
}

/** '3:07', '1:02:10'. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const [first, ...others] = parts[0] ? parts : parts.slice(1)
  return [first, ...others.map((part) => String(part).padStart(2, '0'))].join(':')
}

const OPEN_ERRORS: Record<string, string> = {
  ENOENT: 'The file doesn’t exist or its name isn’t valid text.',
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  EISDIR: 'This is a folder.',
  ELOOP: 'This symbolic link points to itself.',
  EIO: 'Disk read error.',
}

/** For a file that could not be opened or completely read. */
export function unreadableSkip(file: string, error: unknown): Skipped {
  const { code, message } = error as NodeJS.ErrnoException
  return { path: file, reason: 'unreadable', detail: OPEN_ERRORS[code ?? ''] ?? `${message}.` }
}
