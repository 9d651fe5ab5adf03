import { LOWEST_SPECTRUM_LEVEL, SPECTRUM_BANDS, SPECTRUM_STEP_DB } from '@dubplate/contract/spectrum'

type Colour = readonly [red: number, green: number, blue: number]

/** From silence to full level; the ramps of both schemes have a lightness that only rises, or only falls. */
const RAMPS: Record<'dark' | 'light', readonly Colour[]> = {
  dark: [
    [12, 13, 16],
    [52, 23, 94],
    [140, 41, 129],
    [241, 96, 93],
    [252, 253, 191],
  ],
  light: [
    [255, 255, 255],
    [253, 208, 162],
    [231, 106, 92],
    [132, 32, 107],
    [27, 12, 65],
  ],
}

/** Levels of this many dB have the first and the last colour. */
const QUIETEST_DB = -110
const LOUDEST_DB = -20

function colourOf(ramp: readonly Colour[], level: number): Colour {
  const db = -level * SPECTRUM_STEP_DB
  const at = Math.min(1, Math.max(0, (db - QUIETEST_DB) / (LOUDEST_DB - QUIETEST_DB))) * (ramp.length - 1)
  const index = Math.min(ramp.length - 2, Math.floor(at))
  const [from, to] = [ramp[index]!, ramp[index + 1]!]
  const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + (to[channel] - from[channel]) * (at - index))
  return [mix(0), mix(1), mix(2)]
}

/** RGBA pixels of a spectrogram: one for each column and band, the highest band first. */
export function spectrumPixels(levels: Uint8Array, scheme: 'dark' | 'light'): Uint8ClampedArray<ArrayBuffer> {
  const colours = Array.from({ length: LOWEST_SPECTRUM_LEVEL + 1 }, (_, level) => colourOf(RAMPS[scheme], level))
  const columns = levels.length / SPECTRUM_BANDS
  const pixels = new Uint8ClampedArray(levels.length * 4)
  levels.forEach((level, i) => {
    const column = Math.floor(i / SPECTRUM_BANDS)
    const row = SPECTRUM_BANDS - 1 - (i % SPECTRUM_BANDS)
    pixels.set([...colours[Math.min(level, LOWEST_SPECTRUM_LEVEL)]!, 255], (row * columns + column) * 4)
  })
  return pixels
}

const MINUTE = 60
const TIME_STEPS = [5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE]
const MAX_TIMES = 7

/** The seconds that are named below a picture of this duration. */
export function timeTicks(durationSeconds: number): number[] {
  const step = TIME_STEPS.find((each) => durationSeconds / each < MAX_TIMES) ?? TIME_STEPS.at(-1)!
  return Array.from({ length: Math.floor(durationSeconds / step) + 1 }, (_, n) => n * step)
}

const FREQUENCY_STEP_HZ = 5000

/** The frequencies that are named beside the picture, in Hz. */
export const frequencyTicks = (topHz: number): number[] =>
  Array.from({ length: Math.floor(topHz / FREQUENCY_STEP_HZ) + 1 }, (_, n) => n * FREQUENCY_STEP_HZ)

/** Above this share of the picture, content reaches the top: no encoder has cut it. */
const FULL_SHARE = 0.93

export const hasCutoff = ({ highest_hz, top_hz }: { highest_hz: number | null; top_hz: number }): boolean =>
  highest_hz !== null && highest_hz < FULL_SHARE * top_hz
