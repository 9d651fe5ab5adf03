import { expect, test } from 'vitest'
import { encodeMp3 } from '../../test/encoded-mp3.ts'
import { findChangedPlaces, type LevelPrint } from './changed-places.ts'
import { FingerprintStream } from './fingerprint.ts'
import { decodeMp3Buffer, join, noise, tune } from './make-audio.ts'
import { HalfRate, ResamplerChain } from './resample.ts'

const RATE = 44_100
const SECONDS = 40
const samples = (seconds: number) => Math.round(seconds * RATE)

/** A voice: syllables of a third of a second, each with its own pitch and formants. */
function sing(): Float32Array {
  const next = noise(17)
  const voice = new Float32Array(samples(SECONDS))
  for (let at = samples(1); at + samples(0.5) < voice.length; at += samples(0.5)) {
    const [hz, formant] = [180 + 120 * (next() + 1), 500 + 900 * (next() + 1)]
    for (let i = 0; i < samples(0.34); i++) {
      let sum = 0
      for (let n = 1; n < 12; n++)
        sum += Math.sin((2 * Math.PI * n * hz * i) / RATE) / (1 + ((n * hz - formant) / 400) ** 2)
      voice[at + i] = 0.25 * sum * Math.sin((Math.PI * i) / samples(0.34))
    }
  }
  return voice
}

const [music] = tune({ seed: 4, seconds: SECONDS, channels: 1 }) as [Float32Array]
const voice = sing()
const mix = (words: Float32Array) => music.map((sample, i) => 0.5 * (sample + words[i]!))
const dirty = mix(voice)
/** The song without the voice in these seconds. */
const without = (...places: [from: number, to: number][]) => {
  const words = voice.slice()
  for (const [from, to] of places) words.fill(0, samples(from), samples(to))
  return mix(words)
}

function printOf(mono: Float32Array): LevelPrint {
  const resampler = new ResamplerChain([new HalfRate(), new HalfRate()])
  const stream = new FingerprintStream()
  stream.push(resampler.push(mono))
  return { codes: stream.codes(), levels: stream.levels() }
}

const compare = (clean: Float32Array, other = dirty) => findChangedPlaces(printOf(clean), printOf(other))
const asMp3 = async (mono: Float32Array) =>
  (await decodeMp3Buffer(await encodeMp3([mono], { sampleRate: RATE, bitrate: 96 })))[0]!

test('finds words that are silenced, and where', () => {
  const { places, is_same } = compare(without([12, 12.5], [30, 31]))!
  expect(places).toHaveLength(2)
  expect(is_same).toBe(false)
  const [first, second] = places as [(typeof places)[number], (typeof places)[number]]
  expect(first.clean_from).toBeGreaterThan(11.3)
  expect(first.clean_from).toBeLessThan(12.4)
  expect(first.clean_to).toBeGreaterThan(12.1)
  expect(first.clean_to).toBeLessThan(13.2)
  expect(first).toMatchObject({ dirty_from: first.clean_from, dirty_to: first.clean_to })
  expect(second.clean_from).toBeGreaterThan(29.3)
  expect(second.clean_to).toBeLessThan(31.8)
})

test('the same sound, as another file, is the same: as MP3, quieter, and with an encoder’s delay', async () => {
  const same = { places: [], is_same: true }
  expect(compare(dirty)).toEqual(same)
  expect(compare(await asMp3(dirty))).toEqual(same)
  expect(compare(dirty.map((sample) => sample * 0.3))).toEqual(same)
  for (const delay of [1105, 2700, 4000]) expect(compare(join(new Float32Array(delay), dirty))).toEqual(same)
})

test('finds the same word in another encoding, and no other place', async () => {
  const { places } = compare(await asMp3(without([20, 20.5])))!
  expect(places).toHaveLength(1)
  expect(places[0]!.clean_from).toBeGreaterThan(19.3)
  expect(places[0]!.clean_to).toBeLessThan(21.2)
})

test('a cut is one place; after it, the two versions are aligned again', () => {
  const cut = join(dirty.slice(0, samples(15)), dirty.slice(samples(15.7)))
  const { places } = compare(cut)!
  expect(places).toHaveLength(1)
  const [{ clean_from, clean_to, dirty_from, dirty_to }] = places as [(typeof places)[number]]
  expect(clean_from).toBeGreaterThan(13.5)
  expect(clean_to).toBeLessThan(16.5)
  expect(dirty_to - dirty_from - (clean_to - clean_from)).toBeCloseTo(0.7, 1)
})

test('another song is not compared', () => {
  expect(compare(tune({ seed: 9, seconds: SECONDS, channels: 1 })[0]!)).toBeNull()
})
