import type { AudioFormat, Fault } from './analysis.ts'

/** What a file says it is worth; `kbps` is the mean of an MP3, whose frames are all alike when it `is_constant`. */
export type DeclaredQuality = { format: AudioFormat; kbps?: number; is_constant?: boolean }

/**
 * Up to which frequency each bit rate reaches: LAME's low passes (lame.c, optimum_bandwidth, as measured with LAME 3.100) and
 * Fraunhofer's 16 kHz at 128 kbit/s.
 */
const BITRATE_CUTOFFS: [below_hz: number, kbps: number][] = [
  [12_000, 64],
  [14_300, 80],
  [15_700, 96],
  [17_250, 128],
  [18_200, 160],
  [19_300, 192],
]

/** A wall under this is too low for an MP3 of constant bit rate; each leaves room for other encoders than LAME. */
const CONSTANT_CUTOFFS: [kbps: number, hz: number][] = [
  [320, 19_300],
  [256, 19_100],
  [224, 17_800],
  [192, 17_200],
  [160, 15_700],
  [128, 14_300],
]

/**
 * The mean of a variable rate follows the music, so it promises less, and where the highs are faint LAME ends it at 16 kHz, its
 * last scale factor band.
 */
const VARIABLE_CUTOFFS: [kbps: number, hz: number][] = [[170, 15_700]]

/** Masters without loss are cut at 20 kHz or not at all. */
const LOSSLESS_CUTOFF_HZ = 19_300

function expectedCutoffHz({ format, kbps = 0, is_constant }: DeclaredQuality): number {
  if (format !== 'mp3') return LOSSLESS_CUTOFF_HZ
  const table = is_constant ? CONSTANT_CUTOFFS : VARIABLE_CUTOFFS
  return table.find(([least]) => kbps >= least)?.[1] ?? 0
}

/** A lower bit rate saved again: the music ends at a wall (in Hz) far below what the file could hold. */
export function findUpscaling(cutoffHz: number | undefined, declared: DeclaredQuality): Fault | undefined {
  if (cutoffHz === undefined || cutoffHz >= expectedCutoffHz(declared)) return undefined
  const khz = Math.round(cutoffHz / 500) / 2
  const like = BITRATE_CUTOFFS.find(([belowHz]) => cutoffHz < belowHz)![1]
  const as = declared.format === 'mp3' ? `MP3 at ${declared.kbps} kbit/s` : declared.format.toUpperCase()
  return {
    code: 'upscaled',
    message: `No frequencies above ${khz} kHz: this sounds like a ${like} kbit/s file re-encoded as ${as}.`,
  }
}
