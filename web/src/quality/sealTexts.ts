import type { quality } from '@dubplate/contract'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

/** Who reads the seal: uploaders and staff are also told what to do. */
export type Audience = 'member' | 'uploader' | 'staff'

const FORMAT_NAMES: Record<string, string> = { m4a: 'AAC', ogg: 'Ogg Vorbis', opus: 'Opus' }

/** `MP3`, `AAC`; an M4A without loss is Apple Lossless. */
export const formatName = ({ format, is_lossless }: quality.Seal): string => {
  if (format === 'm4a' && is_lossless) return 'Apple Lossless'
  return FORMAT_NAMES[format ?? ''] ?? (format ?? '').toUpperCase()
}

const checkedText = (seal: quality.Seal) =>
  seal.is_lossless
    ? texts.losslessChecked
    : format(texts.lossyChecked, {
        format: [formatName(seal), seal.bitrate_kbps > 0 && Math.round(seal.bitrate_kbps)].filter(Boolean).join(' '),
      })

const LABELS: Record<Exclude<quality.SealState, 'checked'>, string> = {
  not_checked: texts.notChecked,
  damaged: texts.damaged,
  reencoded: texts.mayBeReencoded,
  clipped: texts.clipped,
  silent: texts.longSilence,
  warning: texts.warning,
}

/** The few words of a badge. */
export const sealLabel = (seal: quality.Seal): string =>
  seal.state === 'checked' ? checkedText(seal) : LABELS[seal.state]

export const sealTitle = (seal: quality.Seal): string =>
  seal.state === 'reencoded' ? texts.mayHaveBeenReencoded : sealLabel(seal)

const HINTS: Record<Exclude<quality.SealState, 'checked'>, Record<Audience, string>> = {
  not_checked: {
    member: texts.notCheckedHint,
    uploader: texts.notCheckedHint,
    staff: texts.notCheckedStaffHint,
  },
  damaged: { member: texts.damagedHint, uploader: texts.damagedUploaderHint, staff: texts.damagedHint },
  reencoded: {
    member: texts.reencodedHint,
    uploader: texts.reencodedUploaderHint,
    staff: texts.reencodedHint,
  },
  clipped: { member: texts.clippedHint, uploader: texts.clippedUploaderHint, staff: texts.clippedHint },
  silent: { member: texts.longSilenceHint, uploader: texts.longSilenceUploaderHint, staff: texts.longSilenceHint },
  warning: { member: texts.warningHint, uploader: texts.warningHint, staff: texts.warningHint },
}

/** The analysis looks for it in MP3s and lossless files, from the sample rate of a CD on. */
const isCheckedForReencoding = ({ format, is_lossless, sample_rate }: quality.Seal): boolean =>
  (is_lossless || format === 'mp3') && sample_rate >= 44_100

export const sealHint = (seal: quality.Seal, audience: Audience): string => {
  if (seal.state !== 'checked') return HINTS[seal.state][audience]
  if (!isCheckedForReencoding(seal)) return texts.noClippingHint
  return seal.is_lossless ? texts.losslessHint : texts.lossyHint
}

type Check = { name: string; warnings: quality.Seal['warnings'] }

const CHECKS: [name: string, codes: readonly string[]][] = [
  [texts.reencoding, ['upscaled']],
  [texts.clipping, ['clipped']],
  [texts.longSilences, ['silent', 'silent_part']],
]

/** What was checked, each with the warnings of it. */
export function checksOf(seal: quality.Seal): Check[] {
  const { state, warnings } = seal
  if (state === 'damaged') return [{ name: texts.damage, warnings }]
  const done = CHECKS.filter(([name]) => name !== texts.reencoding || isCheckedForReencoding(seal))
  const checks = done.map(([name, codes]) => ({
    name,
    warnings: warnings.filter(({ code }) => codes.includes(code)),
  }))
  const others = warnings.filter(({ code }) => !CHECKS.some(([, codes]) => codes.includes(code)))
  return others.length === 0 ? checks : [...checks, { name: texts.otherProblems, warnings: others }]
}
