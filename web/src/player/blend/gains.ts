import { fromDecibels, loudnessGain } from '../loudness.ts'

/** The most by which the incoming song is raised or lowered to the loudness of the outgoing one. */
const MAX_MATCH_DB = 12
/** Half way through an equal-power crossfade, two peaks of the same height add up to this. */
const CROSSFADE_PEAK = Math.SQRT2

export type Loudness = { outgoing: number | null; incoming: number | null }

/**
 * The gains that make both songs as loud as the outgoing one is in the player. They are lowered together where the sum
 * of both could clip.
 */
export function matchLoudness(lufs: Loudness, isEven: boolean): { outgoing: number; incoming: number } {
  const playerGain = (loudness: number | null) => (isEven ? loudnessGain(loudness) : 0)
  const outgoing_db = playerGain(lufs.outgoing)
  const incoming_db =
    lufs.outgoing === null || lufs.incoming === null
      ? playerGain(lufs.incoming)
      : clamp(lufs.outgoing + outgoing_db - lufs.incoming)
  const [outgoing, incoming] = [fromDecibels(outgoing_db), fromDecibels(incoming_db)]
  const headroom = Math.min(1, 1 / (CROSSFADE_PEAK * Math.max(outgoing, incoming)))
  return { outgoing: outgoing * headroom, incoming: incoming * headroom }
}

const clamp = (db: number) => Math.max(-MAX_MATCH_DB, Math.min(MAX_MATCH_DB, db))

/** A step of the curves takes half a second in a blend of 32 s; between steps they are linear. */
const CURVE_POINTS = 65

const curve = (value: (share: number) => number) =>
  Float32Array.from({ length: CURVE_POINTS }, (_, i) => value(i / (CURVE_POINTS - 1)))

/** An equal-power crossfade: the squares of the two gains always add up to one. */
export const FADE_OUT = curve((share) => Math.cos((share * Math.PI) / 2))
export const FADE_IN = curve((share) => Math.sin((share * Math.PI) / 2))
