import path from 'node:path'
import type { Fault } from '../audio/analysis.ts'
import type { FoundDetails } from './file-details.ts'

/** Why a file is not in the pool after an import, as the table says it. */
export type SkipReason =
  | 'already in the pool'
  | 'twice in the folder'
  | 'damaged'
  | 'empty'
  | 'no audio'
  | 'a format that is not read'
  | 'no artist and title'
  | 'withdrawn'
  | 'could not be opened'
  | 'a link'
  | 'not sent'
  | 'left out'
  | 'could not be analysed'
  | 'failed'

export type Skipped = {
  path: string
  reason: SkipReason
  detail: string
  /** What a preview has read, for staff to change. */
  found?: FoundDetails
  audio_seconds?: number
}

/** Music by its ending, but of a kind the pool does not take. */
const UNREAD = /\.(m4a|m4p|m4b|mp4|aac|ogg|oga|opus|wma|alac|ape|wv|mpc|mp2|dsf|dff|caf|amr|ac3|mka|mid|midi)$/i

const REASONS: Record<string, SkipReason> = {
  empty_file: 'empty',
  not_audio: 'no audio',
  unsupported_format: 'a format that is not read',
}

export const isUnreadKind = (file: string): boolean => UNREAD.test(file)

/** What a fault of the structure or the decoding means for the import. */
export function skippedFor(file: string, fault: Fault): Skipped {
  const reason = REASONS[fault.code] ?? 'damaged'
  const isNoMusicOfOurs = fault.code === 'not_audio' || fault.code === 'unsupported_format'
  if (isNoMusicOfOurs && isUnreadKind(file)) {
    const kind = path.extname(file).slice(1).toUpperCase()
    return {
      path: file,
      reason: 'a format that is not read',
      detail: `${kind} is not read: convert it to MP3, WAV, FLAC or AIFF.`,
    }
  }
  const place = fault.at_seconds ? ` (at ${clock(fault.at_seconds)})` : ''
  return { path: file, reason, detail: `${fault.message}${place}` }
}

/** '3:07', '1:02:10'. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const [first, ...others] = parts[0] ? parts : parts.slice(1)
  return [first, ...others.map((part) => String(part).padStart(2, '0'))].join(':')
}

const OPENING: Record<string, string> = {
  ENOENT: 'It is not there, or its name is not valid text.',
  EACCES: 'You may not read it.',
  EPERM: 'You may not read it.',
  EISDIR: 'It is a folder.',
  ELOOP: 'It is a link to itself.',
  EIO: 'The disk cannot read it.',
}

/** A file that did not open or could not be read to its end. */
export function unopened(file: string, error: unknown): Skipped {
  const { code, message } = error as NodeJS.ErrnoException
  return { path: file, reason: 'could not be opened', detail: OPENING[code ?? ''] ?? `${message}.` }
}
