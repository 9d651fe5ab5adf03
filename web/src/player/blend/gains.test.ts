import { describe, expect, test } from 'vitest'
import { FADE_IN, FADE_OUT, matchLoudness } from './gains.ts'

const decibels = (gain: number) => 20 * Math.log10(gain)

describe('loudness', () => {
  test.each([
    ['as the player evens it out', -8, -11, true],
    ['as both songs are', -8, -11, false],
    ['of a quiet song before a loud one', -19, -7, true],
    ['of a loud song before a quiet one', -7, -18, false],
  ])('is the same in both songs, %s', (_, outgoing, incoming, isEven) => {
    const gains = matchLoudness({ outgoing, incoming }, isEven)
    expect(outgoing + decibels(gains.outgoing)).toBeCloseTo(incoming + decibels(gains.incoming))
  })

  test('is that of the player where the sum cannot clip', () => {
    expect(decibels(matchLoudness({ outgoing: -8, incoming: -8 }, true).outgoing)).toBeCloseTo(-6)
  })

  test('leaves headroom for both songs at once', () => {
    for (const isEven of [true, false])
      for (const lufs of [-24, -14, -6]) {
        const { outgoing, incoming } = matchLoudness({ outgoing: lufs, incoming: -12 }, isEven)
        const peaks = Array.from(FADE_OUT, (out, i) => out * outgoing + FADE_IN[i]! * incoming)
        expect(Math.max(...peaks)).toBeLessThanOrEqual(1 + 1e-6)
      }
  })

  test('is not raised by more than 12 dB, and not matched where it is unknown', () => {
    const { outgoing, incoming } = matchLoudness({ outgoing: -6, incoming: -40 }, false)
    expect(decibels(incoming / outgoing)).toBeCloseTo(12)
    const unknown = matchLoudness({ outgoing: null, incoming: -6 }, false)
    expect(unknown.outgoing).toBe(unknown.incoming)
  })
})

test('the crossfade keeps the power', () => {
  for (const [i, out] of FADE_OUT.entries()) expect(out ** 2 + FADE_IN[i]! ** 2).toBeCloseTo(1)
  expect([FADE_OUT[0], FADE_IN[0], FADE_IN.at(-1)]).toEqual([1, 0, 1])
})
