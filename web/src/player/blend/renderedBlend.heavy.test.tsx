import { beforeEach, expect, test } from 'vitest'
import { signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { type BlendSounds, type DecodedPart, playBlend } from './blendGraph.ts'
import { type PreparedBlend, prepareBlend } from './prepareBlend.ts'
import { type Beats, fakeGrids, makeBeatSong, steady } from './testing.ts'

/**
 * Measures what is heard: previews are encoded and cut as on the server, decoded by the browser, and rendered through
 * the graph of the player, each song once with the other one silent.
 */

const START_SECONDS = 0.05
const OUTGOING_HERTZ = 1200
const INCOMING_HERTZ = 3000

beforeEach(fakeGrids)

async function prepare(outgoing: Beats, incoming: Beats): Promise<PreparedBlend> {
  const songs = { outgoing: makeBeatSong(OUTGOING_HERTZ, outgoing), incoming: makeBeatSong(INCOMING_HERTZ, incoming) }
  const prepared = await prepareBlend(songs)
  if (typeof prepared === 'string') throw new Error(prepared)
  return prepared
}

const silent = (part: DecodedPart & { gain: number }) => {
  const { length, sampleRate, numberOfChannels } = part.samples
  return { ...part, samples: new AudioBuffer({ length, sampleRate, numberOfChannels }) }
}

async function render({ plan, sounds }: PreparedBlend, heard: keyof BlendSounds, sampleRate: number, volume = 1) {
  const other = heard === 'outgoing' ? 'incoming' : 'outgoing'
  const length = Math.ceil((plan.seconds + 1) * sampleRate)
  const context = new OfflineAudioContext({ numberOfChannels: 1, length, sampleRate })
  playBlend(context, {
    plan,
    sounds: { ...sounds, [other]: silent(sounds[other]) },
    startAt: START_SECONDS,
    volume,
  })
  return (await context.startRendering()).getChannelData(0)
}

const WINDOW_SECONDS = 0.0005
/** An onset is where the sound first exceeds this share of the peak that follows. */
const ONSET_SHARE = 0.25
const MIN_PEAK = 0.004
const MIN_GAP_SECONDS = 0.15

const peakOf = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)

/** The seconds at which tones begin. */
function onsetsOf(samples: Float32Array, sampleRate: number): number[] {
  const step = Math.round(WINDOW_SECONDS * sampleRate)
  const envelope = Array.from({ length: Math.floor(samples.length / step) }, (_, i) =>
    peakOf(samples.subarray(i * step, (i + 1) * step)),
  )
  const gap = Math.round(MIN_GAP_SECONDS / WINDOW_SECONDS)
  const isPeak = (level: number, i: number) =>
    level > MIN_PEAK && envelope.slice(Math.max(0, i - gap), i + gap).every((other) => other <= level)
  return envelope.flatMap((level, i) => {
    if (!isPeak(level, i)) return []
    let from = i
    while (from > 0 && envelope[from - 1]! > ONSET_SHARE * level) from--
    return [(from * step) / sampleRate]
  })
}

const nearestGap = (onset: number, others: readonly number[]) =>
  Math.min(...others.map((other) => Math.abs(other - onset)))

/** The onsets of both songs, and how far those of the slower one are from the other's, at most, in ms. */
async function measure(prepared: PreparedBlend, sampleRate = 44_100) {
  const outgoing = onsetsOf(await render(prepared, 'outgoing', sampleRate), sampleRate)
  const incoming = onsetsOf(await render(prepared, 'incoming', sampleRate), sampleRate)
  const [fewer, more] = outgoing.length <= incoming.length + 5 ? [outgoing, incoming] : [incoming, outgoing]
  // At the ends of the crossfade, a song cannot be heard yet, or any longer.
  const [first, last] = [Math.max(fewer[0]!, more[0]!), Math.min(fewer.at(-1)!, more.at(-1)!)]
  const gaps = fewer
    .filter((onset) => onset >= first - 0.1 && onset <= last + 0.1)
    .map((onset) => nearestGap(onset, more) * 1000)
  return { outgoing, incoming, count: gaps.length, worst: Math.max(...gaps) }
}

test.each([44_100, 48_000])('the beats match over 16 bars, at a rate of %d Hz', async (sampleRate) => {
  signInAs(makeProfile())
  const prepared = await prepare(steady(128, 0.4321), steady(126, 0.777))
  expect(prepared.plan.bars).toBe(16)
  const { outgoing, count, worst } = await measure(prepared, sampleRate)
  expect(count).toBeGreaterThan(58)
  expect(worst).toBeLessThan(15)
  // The encoder’s delay is left out: the first beat is heard when it is due.
  expect(Math.abs(outgoing[0]! - START_SECONDS) * 1000).toBeLessThan(3)
})

test('the beats match at half and double tempo', async () => {
  signInAs(makeProfile())
  for (const [outgoing, incoming] of [
    [steady(174, 0.3), steady(86, 0.5)],
    [steady(86, 0.5), steady(174, 0.3)],
  ] as const) {
    const { count, worst } = await measure(await prepare(outgoing, incoming))
    expect(count).toBeGreaterThan(27)
    expect(worst).toBeLessThan(15)
  }
})

test('the beats match where both tempos change', async () => {
  signInAs(makeProfile())
  const tempos = (bpms: number[], beats: number) => bpms.map((bpm) => ({ bpm, beats }))
  const outgoing = { first: 0.4, tempos: tempos([124, 125.5, 124.2, 126, 124.8, 126.3, 125, 126.1], 19) }
  const incoming = { first: 0.61, tempos: tempos([128, 126.9, 128.5, 127.4, 128.2, 127, 128, 127, 128, 127], 17) }
  const prepared = await prepare(outgoing, incoming)
  expect(prepared.plan.rates.length).toBeGreaterThan(5)
  const { count, worst } = await measure(prepared)
  expect(count).toBeGreaterThan(58)
  expect(worst).toBeLessThan(15)
})

test('the beats match in the clips of a visitor', async () => {
  const prepared = await prepare(
    { ...steady(128, 0.4321), preview_start_seconds: 20.123 },
    { ...steady(126, 0.777), preview_start_seconds: 33.3 },
  )
  expect(prepared.plan.bars).toBe(8)
  const { count, worst } = await measure(prepared)
  expect(count).toBeGreaterThan(26)
  expect(worst).toBeLessThan(15)
})

test('refuses a clip in place of the requested part', async () => {
  signInAs(makeProfile())
  const [outgoing, incoming] = [makeBeatSong(1200, steady(128, 0.4)), makeBeatSong(3000, steady(126, 0.7))]
  // The server of component tests replies with a whole tone.
  incoming.version = { ...incoming.version, mp3: '/previews/1.mp3' }
  await expect(prepareBlend({ outgoing, incoming })).rejects.toThrow('is not the requested part')
})

test('is as loud as the player', async () => {
  signInAs(makeProfile())
  const prepared = await prepare(steady(128, 0.4321), steady(126, 0.777))
  const [full, half, none] = await Promise.all(
    [1, 0.5, 0].map(async (volume) => peakOf(await render(prepared, 'outgoing', 44_100, volume))),
  )
  expect(half! / full!).toBeCloseTo(0.5)
  expect(none).toBe(0)
})
