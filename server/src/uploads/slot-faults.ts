import type { uploadedSongs, uploads } from '@dubplate/contract'
import { clock } from '../imports/skipped.ts'

type Timed = { version_label: string; duration_seconds: number }

/** Words of a label that change what is heard, and nothing about how long it lasts. */
const SAME_LENGTH = new Set([
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

/** Versions that should last as long as each other have the same shape: 'Intro Clean' and 'Intro Dirty'. */
const shapeOf = (label: string): string =>
  label
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !SAME_LENGTH.has(word))
    .sort()
    .join(' ')

const LEAST_SECONDS = 3
const LEAST_SHARE = 0.04

/** A version that is shorter or longer than its sisters of the same shape: the usual sign of an export cut off. */
export function lengthFault(version: Timed, all: readonly Timed[]): uploads.Fault | undefined {
  const sisters = all.filter((other) => shapeOf(other.version_label) === shapeOf(version.version_label))
  const usual = sisters.map(({ duration_seconds }) => duration_seconds).sort((a, b) => a - b)[
    Math.floor(sisters.length / 2)
  ]
  if (usual === undefined || version.duration_seconds === 0) return undefined
  const off = version.duration_seconds - usual
  if (Math.abs(off) <= Math.max(LEAST_SECONDS, LEAST_SHARE * usual)) return undefined
  const than = sisters.find(({ duration_seconds }) => duration_seconds === usual)?.version_label ?? 'the other versions'
  return {
    code: 'length_differs',
    message: `This version is ${clock(version.duration_seconds)} long: ${clock(Math.abs(off))} ${off < 0 ? 'shorter' : 'longer'} than ${than}.`,
    blocks: false,
  }
}

type SlotFault = uploads.Fault & { version_label: string }

/** 'Clean: It ends in the middle of a frame (at 2:31). Dirty: The whole file is silent.' */
export const faultsInWords = (faults: readonly SlotFault[]): string =>
  faults
    .map(({ version_label, message, at_seconds }) => {
      const at = at_seconds ? clock(at_seconds) : ''
      const place = at && !message.includes(at) ? ` (at ${at})` : ''
      return `${version_label}: ${message.replace(/\.$/, '')}${place}.`
    })
    .join(' ')

/** What is wrong with the versions of one song, in their order. */
export function faultsOf(slots: readonly uploadedSongs.Slot[]): SlotFault[] {
  const timed = slots.map(({ name, file }) => ({
    version_label: name,
    duration_seconds: file.analysis.duration_seconds,
  }))
  return slots.flatMap((slot, n) => {
    const own = timed[n] as Timed
    const length = lengthFault(
      own,
      timed.filter(({ duration_seconds }) => duration_seconds > 0),
    )
    return [...slot.file.analysis.faults, ...(length ? [length] : [])].map((fault) => ({
      ...fault,
      version_label: slot.name,
    }))
  })
}
