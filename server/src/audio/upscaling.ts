import type { AudioFormat, Fault } from './analysis.ts'

/** What a file says it is worth; `kbps` is the mean of an MP3, whose frames are all alike when it `is_constant`. */
export type Claim = { format: AudioFormat; kbps?: number; is_constant?: boolean }

/**
 * Up to which frequency each bit rate reaches: LAME's low passes (lame.c, optimum_bandwidth, as measured with LAME 3.100) and
 * Fraunhofer's 16 kHz at 128 kbit/s.
 */
const SOUNDS_LIKE: [below_hz: number, kbps: number][] = [
  [12_000, 64],
  [14_300, 80],
  [15_700, 96],
  [17_250, 128],
  [18_200, 160],
  [19_300, 192],
]

/** A wall under this is too low for an MP3 of constant bit rate; each leaves room for other encoders than LAME. */
const CONSTANT_REACHES: [kbps: number, hz: number][] = [
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
const VARIABLE_REACHES: [kbps: number, hz: number][] = [[170, 15_700]]

/** Masters without loss are cut at 20 kHz or not at all. */
const LOSSLESS_REACHES_HZ = 19_300

function reachOf({ format, kbps = 0, is_constant }: Claim): number {
  if (format !== 'mp3') return LOSSLESS_REACHES_HZ
  const table = is_constant ? CONSTANT_REACHES : VARIABLE_REACHES
  return table.find(([least]) => kbps >= least)?.[1] ?? 0
}

/** A lower bit rate saved again: the music ends at a wall (in Hz) far below what the file could hold. */
export function upscaled(wallHz: number | undefined, claim: Claim): Fault | undefined {
  if (wallHz === undefined || wallHz >= reachOf(claim)) return undefined
  const khz = Math.round(wallHz / 500) / 2
  const like = SOUNDS_LIKE.find(([below]) => wallHz < below)![1]
  const as = claim.format === 'mp3' ? `MP3 at ${claim.kbps} kbit/s` : claim.format.toUpperCase()
  return {
    code: 'upscaled',
    message: `No frequencies above ${khz} kHz: this sounds like a ${like} kbit/s file re-encoded as ${as}.`,
  }
}
