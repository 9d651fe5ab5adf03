import type { Peaks } from '@dubplate/contract'

export type BandColours = { low: string; mid: string; high: string; played: string; cursor: string }

const FILL = 0.94
/** The maximum factor by which a quiet song is drawn taller. */
const MAX_STRETCH = 2

/** The colours of the waveform in the current theme. */
export const bandColours = (): BandColours => {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    low: token('--wave-low'),
    mid: token('--wave-mid'),
    high: token('--wave-high'),
    played: token('--wave-played'),
    cursor: token('--accent-ink'),
  }
}

/** Draws the three bands on top of each other, low at the back and high in front, mirrored about the middle line. */
export const drawBands = (ctx: CanvasRenderingContext2D, peaks: Peaks, colours: BandColours) => {
  const stretch = stretchFactor(peaks)
  for (const band of ['low', 'mid', 'high'] as const) {
    ctx.fillStyle = colours[band]
    ctx.beginPath()
    addBars(ctx, peaks[band], stretch)
    ctx.fill()
  }
}

const stretchFactor = ({ overall }: Peaks) =>
  Math.min(MAX_STRETCH, 255 / Math.max(1, loudestIn(overall, 0, overall.length)))

/** One bar per CSS pixel, as tall as the loudest of its points, at least one device pixel. */
const addBars = (ctx: CanvasRenderingContext2D, lane: Uint8Array, stretch: number) => {
  const { width, height } = ctx.canvas
  const bar = Math.max(1, Math.round(devicePixelRatio))
  for (let x = 0; x < width; x += bar) {
    const from = Math.floor((x / width) * lane.length)
    const to = Math.max(from + 1, Math.floor(((x + bar) / width) * lane.length))
    const barHeight = Math.max(1, (loudestIn(lane, from, to) / 255) * stretch * height * FILL)
    ctx.rect(x, (height - barHeight) / 2, bar, barHeight)
  }
}

const loudestIn = (lane: Uint8Array, from: number, to: number) => {
  let maxLevel = 0
  for (let at = from; at < to && at < lane.length; at++) maxLevel = Math.max(maxLevel, lane[at]!)
  return maxLevel
}
