const TARGET_LUFS = -14
const MAX_CUT_DB = -12

/**
 * The gain in dB that brings a version to -14 LUFS, the level streaming services agree on (AES TD1008); a step of one
 * LU is one dB (ITU-R BS.1770). It is never positive and at least -12 dB: an audio element cannot boost a quiet version
 * without clipping.
 */
export const loudnessGain = (loudness_lufs: number | null): number =>
  loudness_lufs === null ? 0 : Math.max(MAX_CUT_DB, Math.min(0, TARGET_LUFS - loudness_lufs))

export const fromDecibels = (db: number): number => 10 ** (db / 20)
