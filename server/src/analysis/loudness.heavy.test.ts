import { describe, expect, test } from 'vitest'
import { Loudness } from './loudness.ts'
import { join, tone } from './make-audio.ts'
import { TruePeak } from './true-peak.ts'

const RATE = 48_000

/** Parts of a stereo sine of 1 kHz: [level in dBFS, seconds]. */
function measure(parts: [db: number, seconds: number][], rate = RATE): Loudness {
  const loudness = new Loudness(rate, 2)
  for (const [db, seconds] of parts) {
    const sine = tone({ hz: 1000, seconds, rate, db })
    for (let at = 0; at < sine.length; at += 50_000) {
      const block = sine.subarray(at, at + 50_000)
      loudness.push([block, block])
    }
  }
  return loudness
}

describe('loudness with the test signals of EBU Tech 3341', () => {
  test.each<[string, number, [number, number][]]>([
    ['1: a tone of −23 dBFS', -23, [[-23, 20]]],
    ['2: a tone of −33 dBFS', -33, [[-33, 20]]],
    [
      '3: quieter parts fall under the relative gate',
      -23,
      [
        [-36, 10],
        [-23, 60],
        [-36, 10],
      ],
    ],
    [
      '4: near silence falls under the absolute gate',
      -23,
      [
        [-72, 10],
        [-36, 10],
        [-23, 60],
        [-36, 10],
        [-72, 10],
      ],
    ],
    [
      '5: parts above the gate are averaged',
      -23,
      [
        [-26, 20],
        [-20, 20.1],
        [-26, 20],
      ],
    ],
  ])('%s', (_, expected, parts) => {
    expect(Math.abs(measure(parts).integrated() - expected)).toBeLessThanOrEqual(0.1)
  })

  test('has the same weighting at every sample rate', () => {
    for (const rate of [32_000, 44_100, 96_000]) {
      expect(Math.abs(measure([[-23, 5]], rate).integrated() + 23)).toBeLessThanOrEqual(0.1)
    }
  })

  test('is 3 LU lower for one channel than for the same signal on both', () => {
    const loudness = new Loudness(RATE, 1)
    loudness.push([tone({ hz: 1000, seconds: 5, rate: RATE, db: -23 })])
    expect(loudness.integrated()).toBeCloseTo(-26.0, 1)
  })

  test('is at the gate for silence', () => {
    const loudness = new Loudness(RATE, 1)
    loudness.push([new Float32Array(RATE * 3)])
    expect([loudness.integrated(), loudness.range()]).toEqual([-70, 0])
  })
})

describe('loudness range with the test signals of EBU Tech 3342', () => {
  test.each<[string, number, [number, number][]]>([
    [
      '1: −20 then −30 dBFS',
      10,
      [
        [-20, 20],
        [-30, 20],
      ],
    ],
    [
      '2: −20 then −15 dBFS',
      5,
      [
        [-20, 20],
        [-15, 20],
      ],
    ],
    [
      '3: −40 then −20 dBFS',
      20,
      [
        [-40, 20],
        [-20, 20],
      ],
    ],
    [
      '4: up and down by 15',
      15,
      [
        [-50, 20],
        [-35, 20],
        [-20, 20],
        [-35, 20],
        [-50, 20],
      ],
    ],
  ])('%s', (_, expected, parts) => {
    expect(Math.abs(measure(parts).range() - expected)).toBeLessThanOrEqual(1)
  })
})

describe('true peak with the test signals of EBU Tech 3341', () => {
  const degrees = Math.PI / 180
  test.each([
    ['15: a quarter of the rate, in phase with the samples', { part: 4, phase: 0, amplitude: 0.5, expected: -6 }],
    ['16: a quarter of the rate, 45°', { part: 4, phase: 45, amplitude: 0.5, expected: -6 }],
    ['17: a sixth of the rate, 60°', { part: 6, phase: 60, amplitude: 0.5, expected: -6 }],
    ['18: an eighth of the rate, 67.5°', { part: 8, phase: 67.5, amplitude: 0.5, expected: -6 }],
    ['19: above full scale between samples within it', { part: 4, phase: 45, amplitude: 1.41, expected: 3 }],
  ])('%s', (_, { part, phase, amplitude, expected }) => {
    const db = 20 * Math.log10(amplitude)
    const sine = tone({ hz: RATE / part, seconds: 1, rate: RATE, db, phase: phase * degrees })
    // The standard's signals fade in and out, because a hard edge would ring above the tone.
    const faded = sine.map((sample, i) => sample * Math.min(1, i / 4800, (sine.length - i) / 4800))
    const peak = new TruePeak(RATE, 1)
    for (let at = 0; at < faded.length; at += 1000) peak.push([faded.subarray(at, at + 1000)])
    expect(peak.decibels() - expected).toBeLessThanOrEqual(0.2)
    expect(peak.decibels() - expected).toBeGreaterThanOrEqual(-0.4)
  })

  test('is that of the louder channel, and −120 for silence', () => {
    const quiet = new Float32Array(RATE)
    const peak = new TruePeak(RATE, 2)
    peak.push([quiet, quiet])
    expect(peak.decibels()).toBe(-120)
    peak.push([quiet, join(new Float32Array(100), tone({ hz: 100, seconds: 0.5, rate: RATE, db: -6 }))])
    expect(peak.decibels()).toBeCloseTo(-6, 0)
  })
})
