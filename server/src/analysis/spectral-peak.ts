const CONCERT_PITCH_HZ = 440

/**
 * Offset, in bins, of the true peak between three bins of magnitude: a parabola through their logarithms (J. O. Smith,
 * Spectral Audio Signal Processing).
 */
export function peakOffset(before: number, top: number, after: number): number {
  const a = Math.log(before + 1e-9)
  const b = Math.log(top + 1e-9)
  const c = Math.log(after + 1e-9)
  return (0.5 * (a - c)) / (a - 2 * b + c)
}

/** MIDI pitch of a frequency; 69 is A at 440 Hz, 1 is a semitone. */
export const midiPitch = (hz: number): number => 69 + 12 * Math.log2(hz / CONCERT_PITCH_HZ)

/** How near a pitch is to the middle of its semitone: 1 in the middle, 0 between two. */
export const tuningWeight = (pitch: number): number => Math.cos(Math.PI * Math.abs(pitch - Math.round(pitch))) ** 2

/** Pitch class of a MIDI pitch, 0 (C) to 11 (B). */
export const pitchClass = (pitch: number): number => ((Math.round(pitch) % 12) + 12) % 12
