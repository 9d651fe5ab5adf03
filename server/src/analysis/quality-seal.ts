import type { quality } from '@dubplate/contract'
import { type Fault, isWarning } from '../audio-files/faults.ts'

/** What is stored about a file; all values but the format are null if it has not been analysed. */
export type QualityFacts = {
  format: string | null
  /** 0 for files of the demo that were generated without an analysis. */
  analyser_version: number | null
  bitrate_kbps: number | null
  sample_rate: number | null
  bit_depth: number | null
  faults: Fault[] | null
}

const LOSSLESS_FORMATS = new Set(['wav', 'aiff', 'flac'])

/** The state of each kind of warning. A file with several has the first of these. */
const STATES: [quality.SealState, codes: readonly string[]][] = [
  ['reencoded', ['upscaled']],
  ['clipped', ['clipped']],
  ['silent', ['silent', 'silent_part']],
]

/**
 * Returns the quality seal of a file: what members, uploaders and staff are told about it. An M4A is lossless when its
 * samples have a bit depth, as only Apple Lossless has one.
 */
export function sealOf({ format, analyser_version, faults, ...facts }: QualityFacts): quality.Seal {
  const { bit_depth, bitrate_kbps, sample_rate } = facts
  const isAnalysed = analyser_version !== null && analyser_version > 0
  const found = isAnalysed ? (faults ?? []) : []
  return {
    state: isAnalysed ? stateOf(found) : 'not_checked',
    format,
    is_lossless: format !== null && (LOSSLESS_FORMATS.has(format) || (format === 'm4a' && bit_depth !== null)),
    bitrate_kbps: bitrate_kbps ?? 0,
    sample_rate: sample_rate ?? 0,
    bit_depth,
    warnings: found.map(({ code, message, at_seconds }) => ({
      ...{ code, message },
      ...(at_seconds === undefined ? {} : { at_seconds: Math.floor(at_seconds) }),
    })),
  }
}

function stateOf(faults: readonly Fault[]): quality.SealState {
  if (!faults.every(isWarning)) return 'damaged'
  for (const [state, codes] of STATES) if (faults.some(({ code }) => codes.includes(code))) return state
  return faults.length > 0 ? 'warning' : 'checked'
}
