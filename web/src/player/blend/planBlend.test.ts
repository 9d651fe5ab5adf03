import type { player } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { createBeatClock } from './beatClock.ts'
import { type BlendPlan, type BlendSong, planBlend } from './planBlend.ts'

const GRID: player.BeatGrid = {
  bpm: 128,
  first_downbeat_seconds: 0.25,
  first_beat_seconds: 0.25,
  tempo_changes: [],
  sections: [],
  cues: [],
  energy: null,
}

const song = (grid: Partial<player.BeatGrid> = {}, to = 240, from = 0): BlendSong => {
  const first_beat_seconds = grid.first_beat_seconds ?? grid.first_downbeat_seconds ?? GRID.first_beat_seconds
  return { grid: { ...GRID, first_beat_seconds, ...grid }, range: { from, to } }
}

const cue = (kind: player.BeatGrid['cues'][number]['kind'], at_seconds: number) => ({ bar: 0, kind, at_seconds })

function planned(outgoing: BlendSong, incoming: BlendSong): BlendPlan {
  const plan = planBlend(outgoing, incoming)
  if (typeof plan === 'string') throw new Error(plan)
  return plan
}

/** The second of the incoming song that is heard at a moment of the blend. */
function incomingAt({ rates, incoming, seconds }: BlendPlan, at: number): number {
  return rates.reduce((position, { at_seconds, rate }, i) => {
    const end = Math.min(at, rates[i + 1]?.at_seconds ?? seconds)
    return position + Math.max(0, end - at_seconds) * rate
  }, incoming.from_seconds)
}

/** How far apart each beat of the outgoing song and its beat of the incoming song are heard, at most, in ms. */
function largestGap(plan: BlendPlan, outgoing: BlendSong, incoming: BlendSong, beatRatio = 1): number {
  const [before, after] = [createBeatClock(outgoing.grid), createBeatClock(incoming.grid)]
  const [outBeat, inBeat] = [before.beatAt(plan.outgoing.from_seconds), after.beatAt(plan.incoming.from_seconds)]
  const gaps = Array.from({ length: plan.bars * 4 + 1 }, (_, n) => {
    const at = before.secondsOf(outBeat + n) - plan.outgoing.from_seconds
    return Math.abs(incomingAt(plan, at) - after.secondsOf(inBeat + n * beatRatio))
  })
  return Math.max(...gaps) * 1000
}

test('plays the incoming song at the tempo of the outgoing one, for 16 bars', () => {
  const plan = planned(song({ bpm: 128 }), song({ bpm: 126 }))
  expect(plan.bars).toBe(16)
  expect(plan.seconds).toBeCloseTo(30)
  expect(plan.rates).toEqual([{ at_seconds: 0, rate: expect.closeTo(128 / 126) }])
  expect(plan.tempo).toMatchObject({
    multiple: 'same',
    percent: expect.closeTo(1.587, 2),
    own_bpm: 126,
    blend_bpm: 128,
  })
})

describe('the outgoing song', () => {
  const bar = 240 / 128

  test('is mixed out from its outro, at the nearest bar line', () => {
    const outro = 0.25 + 96 * bar
    const plan = planned(song({ cues: [cue('outro', outro + 0.1)] }), song())
    expect(plan.outgoing.from_seconds).toBeCloseTo(outro)
  })

  test('is mixed out from an earlier phrase if its outro is shorter than the blend', () => {
    const outro = 0.25 + 117 * bar
    const plan = planned(song({ cues: [cue('outro', outro)] }), song())
    // 16 bars before the end of 240 s is bar 111; phrases of eight bars count from the outro.
    expect(plan.outgoing.from_seconds).toBeCloseTo(0.25 + 109 * bar)
  })

  test('is mixed out from the last phrase of eight bars without an outro', () => {
    expect(planned(song(), song()).outgoing.from_seconds).toBeCloseTo(0.25 + 104 * bar)
    const section = { bar: 97, bars: 30, kind: 'main', start_seconds: 0.25 + 97 * bar, has_kick: true } as const
    expect(planned(song({ sections: [section] }), song()).outgoing.from_seconds).toBeCloseTo(0.25 + 105 * bar)
  })
})

describe('the incoming song', () => {
  const bar = 240 / 128

  test('is mixed in at its cue point, otherwise from its first bar', () => {
    expect(planned(song(), song({ cues: [cue('mix_in', 0.25 + 8 * bar)] })).incoming.from_seconds).toBeCloseTo(15.25)
    expect(planned(song(), song({ first_downbeat_seconds: 1.5 })).incoming.from_seconds).toBeCloseTo(1.5)
  })

  test('is mixed in from a beat if its bars are uncertain', () => {
    const plan = planned(song(), song({ first_downbeat_seconds: null, first_beat_seconds: 0.4 }))
    expect(plan.incoming.from_seconds).toBeCloseTo(0.4)
  })
})

describe('songs of which only a clip can be heard', () => {
  test('are blended within the clips, over fewer bars if 16 do not fit', () => {
    const [outgoing, incoming] = [song({}, 90, 60), song({}, 75, 45)]
    const plan = planned(outgoing, incoming)
    expect(plan.bars).toBe(8)
    expect(plan.outgoing.from_seconds).toBeGreaterThanOrEqual(60)
    expect(plan.outgoing.to_seconds).toBeLessThanOrEqual(90)
    expect(plan.incoming.from_seconds).toBeGreaterThanOrEqual(45)
    expect(plan.incoming.to_seconds).toBeLessThanOrEqual(75)
    expect(largestGap(plan, outgoing, incoming)).toBeLessThan(0.01)
  })

  test('are too short below four bars', () => {
    expect(planBlend(song({}, 66, 60), song())).toBe('too_short')
  })
})

test('half and double tempo match every second beat, or two beats for each', () => {
  const [fast, slow] = [song({ bpm: 174 }), song({ bpm: 86 })]
  const half = planned(fast, slow)
  expect(half.tempo).toMatchObject({ multiple: 'half', own_bpm: 86, blend_bpm: 87 })
  expect(largestGap(half, fast, slow, 0.5)).toBeLessThan(0.01)
  const double = planned(slow, fast)
  expect(double.tempo).toMatchObject({ multiple: 'double', own_bpm: 174, blend_bpm: 172 })
  expect(largestGap(double, slow, fast, 2)).toBeLessThan(0.01)
})

test('follows tempos that change within the blend, in either song', () => {
  const drifting = (bpms: number[], beatsEach: number) => {
    let at_seconds = 0.3
    const tempo_changes = bpms.map((bpm, i) => {
      const change = { beat: i * beatsEach, at_seconds, bpm }
      at_seconds += (beatsEach * 60) / bpm
      return change
    })
    return song({ tempo_changes, first_downbeat_seconds: 0.3, bpm: bpms[0]! })
  }
  const outgoing = drifting([124, 125.2, 124.6, 126, 125, 126.4, 125.5, 124.8], 61)
  const incoming = drifting([128, 127.1, 128.4, 127.7], 13)
  const plan = planned(outgoing, incoming)
  expect(plan.rates.length).toBeGreaterThan(4)
  expect(largestGap(plan, outgoing, incoming)).toBeLessThan(0.01)
})

test('refuses tempos that are too far apart', () => {
  expect(planBlend(song({ bpm: 128 }), song({ bpm: 110 }))).toBe('tempo_clash')
})
