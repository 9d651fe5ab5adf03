import type { Peaks } from '@dubplate/contract'
import type { Beat } from './beatGrid.ts'

/**
 * The share of the height at which the loudest moment of each band is drawn, from low behind to high in front: each
 * leaves the one behind it visible, and quieter and louder parts can be told apart.
 */
const BANDS = [
  ['low', 0.86],
  ['mid', 0.62],
  ['high', 0.4],
] as const
/** A band that is never louder than this is drawn smaller, so that noise does not look like music. */
const MIN_LOUDEST = 96

/** A part of a song as fractions of its length; it may reach beyond the song at both ends. */
type SongPart = { from: number; to: number }

const WHOLE_SONG: SongPart = { from: 0, to: 1 }

/** Draws a song, or a part of it at the same scale: three bands, mirrored about the middle line, a bar for each pixel. */
export const drawPeaks = (canvas: HTMLCanvasElement, peaks: Peaks, part = WHOLE_SONG) => {
  const { clientWidth, clientHeight } = canvas
  const ctx = canvas.getContext('2d')
  if (!ctx || !clientWidth) return
  // Setting the size also clears the canvas.
  canvas.width = Math.round(clientWidth * devicePixelRatio)
  canvas.height = Math.round(clientHeight * devicePixelRatio)
  ctx.scale(canvas.width / clientWidth, canvas.height / clientHeight)
  const style = getComputedStyle(canvas)
  for (const [band, share] of BANDS) {
    const levels = barLevels(peaks[band], clientWidth, part)
    const loudest = Math.max(MIN_LOUDEST, maximumOf(part === WHOLE_SONG ? levels : peaks[band]))
    ctx.fillStyle = style.getPropertyValue(`--wave-${band}`)
    for (const [x, level] of levels.entries()) {
      const height = Math.max(1, (level / loudest) * share * clientHeight)
      ctx.fillRect(x, (clientHeight - height) / 2, 1, height)
    }
  }
}

/** The level of each bar: half its peak, half its mean. Peaks alone would make a steady kick drum a solid block. */
export const barLevels = (lane: Uint8Array, bars: number, { from, to } = WHOLE_SONG) =>
  Float32Array.from({ length: bars }, (_, bar) => {
    const pointAt = (at: number) => Math.floor((from + ((to - from) * at) / bars) * lane.length)
    const points = lane.subarray(Math.max(0, pointAt(bar)), Math.max(0, pointAt(bar + 1), pointAt(bar) + 1))
    const mean = points.reduce((sum, level) => sum + level, 0) / Math.max(1, points.length)
    return (maximumOf(points) + mean) / 2
  })

const maximumOf = (levels: Iterable<number>) => {
  let maximum = 0
  for (const level of levels) maximum = Math.max(maximum, level)
  return maximum
}

/** Draws a line on each beat of the part that a canvas shows, and a stronger one on each first beat of a bar. */
export const drawBeats = (
  canvas: HTMLCanvasElement,
  beats: readonly Beat[],
  { from_seconds, to_seconds }: { from_seconds: number; to_seconds: number },
) => {
  const ctx = canvas.getContext('2d')
  if (!ctx) return
  const style = getComputedStyle(canvas)
  for (const { at_seconds, isDownbeat } of beats) {
    const x = ((at_seconds - from_seconds) / (to_seconds - from_seconds)) * canvas.clientWidth
    ctx.fillStyle = style.getPropertyValue(isDownbeat ? '--wave-bar' : '--wave-beat')
    ctx.fillRect(Math.round(x), 0, isDownbeat ? 2 : 1, canvas.clientHeight)
  }
}
