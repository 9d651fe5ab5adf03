import { expect, test, vi } from 'vitest'
import { barLevels, drawPeaks } from './drawPeaks.ts'

const lane = (...levels: number[]) => Uint8Array.from(levels)

/** Draws on a canvas of this size, and returns the heights of the bars by colour. */
function drawnHeights(peaks: Parameters<typeof drawPeaks>[1], width: number, height: number) {
  vi.stubGlobal('devicePixelRatio', 1)
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => name }))
  const heights: Record<string, number[]> = {}
  const ctx = {
    fillStyle: '',
    scale: () => undefined,
    fillRect: (_x: number, y: number, _width: number, barHeight: number) => {
      expect(y).toBeCloseTo((height - barHeight) / 2)
      heights[ctx.fillStyle] = [...(heights[ctx.fillStyle] ?? []), barHeight]
    },
  }
  drawPeaks({ clientWidth: width, clientHeight: height, getContext: () => ctx } as never, peaks)
  return heights
}

test('a level is half the peak, half the mean of its points', () => {
  expect([...barLevels(lane(200, 0, 100, 100), 2)]).toEqual([150, 100])
})

test('a bar shorter than a point shows that point', () => {
  expect([...barLevels(lane(40, 80), 4)]).toEqual([40, 40, 80, 80])
})

test('a part that reaches beyond the song is empty there', () => {
  expect([...barLevels(lane(40, 80), 4, { from: -0.5, to: 1.5 })]).toEqual([0, 40, 80, 0])
})

test('draws low behind, then mid and high, mirrored, the loudest moment at 86% of the height', () => {
  const heights = drawnHeights({ low: lane(200, 100), mid: lane(255, 0), high: lane(120, 60) }, 2, 50)
  expect(Object.keys(heights)).toEqual(['--wave-low', '--wave-mid', '--wave-high'])
  expect(heights['--wave-low']).toEqual([43, 21.5])
  expect(Math.max(...Object.values(heights).flat())).toBe(43)
})

test('draws a quiet song small', () => {
  const heights = drawnHeights({ low: lane(12), mid: lane(12), high: lane(12) }, 1, 50)
  expect(heights['--wave-low']?.[0]).toBeCloseTo(5.375)
})
