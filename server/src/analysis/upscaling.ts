import type { AudioFormat, Fault } from '../audio-files/faults.ts'
import type { Codec } from './encoding-traces/encoding-traces.ts'

/**
 * The quality that a file declares; `kbps` is the mean of an MP3, which applies to every frame when it `is_constant`.
 * Encoders of the other lossy formats have no common cutoffs.
 */
export type DeclaredQuality = { format: AudioFormat; kbps?: number; is_constant?: boolean; is_lossy?: boolean }

/**
 * The highest frequency of each bit rate: LAME's low passes (lame.c, optimum_bandwidth, as measured with LAME 3.100)
 * and Fraunhofer's 16 kHz at 128 kbit/s.
 */
const BITRATE_CUTOFFS: [below_hz: number, kbps: number][] = [
  [12_000, 64],
  [14_300, 80],
  [15_700, 96],
  [17_250, 128],
  [18_200, 160],
  [19_300, 192],
]

/**
 * A cutoff below this is too low for an MP3 of constant bit rate; each leaves a margin for encoders other than LAME.
 */
const CONSTANT_CUTOFFS: [kbps: number, hz: number][] = [
  [320, 19_300],
  [256, 19_100],
  [224, 17_800],
  [192, 17_200],
  [160, 15_700],
  [128, 14_300],
]

/**
 * The mean of a variable rate depends on the music, so it promises less; where the highs are faint, LAME cuts it at 16
 * kHz, its last scale factor band.
 */
const VARIABLE_CUTOFFS: [kbps: number, hz: number][] = [[170, 15_700]]

/** Lossless masters are cut at 20 kHz or not at all. */
const LOSSLESS_CUTOFF_HZ = 19_300

export const isLossless = ({ format, is_lossy = false }: DeclaredQuality): boolean => format !== 'mp3' && !is_lossy

function expectedCutoffHz({ format, kbps = 0, is_constant, is_lossy = false }: DeclaredQuality): number {
  if (is_lossy) return 0
  if (format !== 'mp3') return LOSSLESS_CUTOFF_HZ
  const table = is_constant ? CONSTANT_CUTOFFS : VARIABLE_CUTOFFS
  return table.find(([least]) => kbps >= least)?.[1] ?? 0
}

/**
 * Finds a lower bit rate that was saved again: the music ends at a cutoff (in Hz) far below what the file could hold.
 */
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

/** A lossless file made from a lossy one at a rate that leaves no cutoff, known by the traces of its codec. */
export function findDecodedCopy(codec: Codec | undefined, declared: DeclaredQuality): Fault | undefined {
  if (!codec) return undefined
  const article = codec === 'Vorbis' ? 'a' : 'an'
  const as = declared.format.toUpperCase()
  return { code: 'upscaled', message: `Traces of lossy encoding: this ${as} was made from ${article} ${codec} file.` }
}
