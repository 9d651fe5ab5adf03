import type { uploadedSongs, uploads } from '@dubplate/contract'
import { formatDuration } from '../imports/skipped-files.ts'

type TimedVersion = { version_label: string; duration_seconds: number }

/** Words of a label that change the content but not the length. */
const SAME_LENGTH_WORDS = new Set([
  'clean',
  'dirty',
  'explicit',
  'main',
  'original',
  'instrumental',
  'inst',
  'super',
  'squeaky',
])

/** Versions that should have the same length have the same group: 'Intro Clean' and 'Intro Dirty'. */
const lengthGroup = (label: string): string =>
  label
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !SAME_LENGTH_WORDS.has(word))
    .sort()
    .join(' ')

const MIN_DIFFERENCE_SECONDS = 3
const MIN_DIFFERENCE_SHARE = 0.04

/** Returns a fault if a version is shorter or longer than others of the same group: usually a truncated export. */
function lengthFault(version: TimedVersion, all: readonly TimedVersion[]): uploads.Fault | undefined {
  const sameGroup = all.filter((other) => lengthGroup(other.version_label) === lengthGroup(version.version_label))
  const usualDuration = sameGroup.map(({ duration_seconds }) => duration_seconds).sort((a, b) => a - b)[
    Math.floor(sameGroup.length / 2)
  ]
  if (usualDuration === undefined || version.duration_seconds === 0) return undefined
  const off = version.duration_seconds - usualDuration
  if (Math.abs(off) <= Math.max(MIN_DIFFERENCE_SECONDS, MIN_DIFFERENCE_SHARE * usualDuration)) return undefined
  const comparedVersion =
    sameGroup.find(({ duration_seconds }) => duration_seconds === usualDuration)?.version_label ?? 'the other versions'
  return {
    code: 'length_differs',
    message: `This version is ${formatDuration(version.duration_seconds)} long: ${formatDuration(Math.abs(off))} ${off < 0 ? 'shorter' : 'longer'} than ${comparedVersion}.`,
    blocks: false,
  }
}

type SlotFault = uploads.Fault & { version_label: string }

/** 'Clean: It ends in the middle of a frame (at 2:31). Dirty: The whole file is silent.' */
export const formatFaults = (faults: readonly SlotFault[]): string =>
  faults
    .map(({ version_label, message, at_seconds }) => {
      const at = at_seconds ? formatDuration(at_seconds) : ''
      const place = at && !message.includes(at) ? ` (at ${at})` : ''
      return `${version_label}: ${message.replace(/\.$/, '')}${place}.`
    })
    .join(' ')

/** Returns the faults of a song's versions, in order. */
export function checkLengths(slots: readonly uploadedSongs.Slot[]): SlotFault[] {
  const timed = slots.map(({ name, file }) => ({
    version_label: name,
    duration_seconds: file.analysis.duration_seconds,
  }))
  return slots.flatMap((slot, n) => {
    const timedVersion = timed[n] as TimedVersion
    const length = lengthFault(
      timedVersion,
      timed.filter(({ duration_seconds }) => duration_seconds > 0),
    )
    return [...slot.file.analysis.faults, ...(length ? [length] : [])].map((fault) => ({
      ...fault,
      version_label: slot.name,
    }))
  })
}
