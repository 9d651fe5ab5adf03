import { describe, expect, test } from 'vitest'
import { join, tone } from './make-audio.ts'
import { Peaks } from './peaks.ts'

function peaksOf(mono: Float32Array, rate = 44_100) {
  const peaks = new Peaks(rate)
  for (let at = 0; at < mono.length; at += 7001) peaks.push(mono.subarray(at, at + 7001))
  return peaks.finish()
}

/** low, mid, high (and overall) at one point of a planar array. */
function at(planar: Uint8Array, planes: number, point: number): number[] {
  const points = planar.length / planes
  return Array.from({ length: planes }, (_, plane) => planar[plane * points + point]!)
}

describe('peaks', () => {
  test('has 50 points a second in three bands, and 800 in total in four', () => {
    const { detail, overview } = peaksOf(tone({ hz: 440, seconds: 20 }))
    expect([detail.length, overview.length]).toEqual([20 * 50 * 3, 3200])
  })

  test('shows bass, voice and cymbals in their own band', () => {
    const parts = [60, 800, 9000].map((hz) => tone({ hz, seconds: 4, db: -6 }))
    const { detail } = peaksOf(join(...parts))
    const loudestBand = [100, 300, 500].map((point) => {
      const bands = at(detail, 3, point)
      return bands.indexOf(Math.max(...bands))
    })
    expect(loudestBand).toEqual([0, 1, 2])
  })

  test('has linear levels: half of full scale is 128, full scale 255', () => {
    const { overview } = peaksOf(
      join(tone({ hz: 500, seconds: 10, db: -6.0206 }), tone({ hz: 500, seconds: 10, db: 0 })),
    )
    const [half, full] = [at(overview, 4, 200)[3]!, at(overview, 4, 600)[3]!]
    expect(Math.abs(half - 127.5)).toBeLessThan(1)
    expect(full).toBeGreaterThan(253)
  })

  test('shows a short click in a long file in the overview', () => {
    const mono = new Float32Array(44_100 * 120)
    mono[44_100 * 60] = 1
    const { overview } = peaksOf(mono)
    expect(at(overview, 4, 400)[3]).toBe(255)
  })

  test('fills the overview of a file of a tenth of a second', () => {
    const { overview, detail } = peaksOf(tone({ hz: 440, seconds: 0.1, db: 0 }))
    expect([overview.length, detail.length]).toEqual([3200, 15])
    expect(Math.min(...overview.subarray(2400))).toBeGreaterThan(200)
  })

  test('has the same number of points at every sample rate', () => {
    for (const rate of [8000, 11_025, 22_050, 48_000, 96_000]) {
      const { detail } = peaksOf(tone({ hz: 440, seconds: 3, rate }), rate)
      expect(detail.length).toBe(450)
    }
  })
})
