import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type DemoVersion, renderBlocks, SAMPLE_RATE } from '@dubplate/demo/song'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { analyse } from '../analysis/analyse.ts'
import { CHROMA_SAMPLE_RATE } from '../analysis/chroma.ts'
import { plainLayout } from '../analysis/downmix.ts'
import { FingerprintStream, keysOf, packCodes, unpackCodes } from '../analysis/fingerprint.ts'
import { join, mp3Of, noise } from '../analysis/make-audio.ts'
import { HalfRate, LinearRate, ResamplerChain } from '../analysis/resample.ts'
import { SignalAnalyser } from '../analysis/signal-analyser.ts'
import { findSameRecordings, MIN_SIMILARITY, saveFingerprint } from './duplicates.ts'

type TestSongOptions = { version?: DemoVersion; seconds?: number }

/** The beginning of a house song in A minor at 124 BPM from the demo's synthesiser; another seed gives another song. */
function song(seed: number, { version = 'Dirty', seconds = 24 }: TestSongOptions = {}): Float32Array {
  const recipe = { seed, genre: 'house', tonic: 9, mode: 'minor', bpm: 124, version } as const
  const bars: Float32Array[] = []
  let samples = 0
  for (const { left, right } of renderBlocks(recipe)) {
    bars.push(left.map((sample, i) => (sample + right[i]!) / 2))
    samples += left.length
    if (samples > seconds * SAMPLE_RATE) break
  }
  return join(...bars)
}

function fingerprintWith(signalAnalyser: SignalAnalyser, channels: Float32Array[]): Int32Array {
  for (let at = 0; at < channels[0]!.length; at += 65_536) {
    signalAnalyser.push(channels.map((samples) => samples.subarray(at, at + 65_536)))
  }
  return signalAnalyser.finish().fingerprint
}

/** Makes a fingerprint as an analysis does, without the other measurements. */
function fingerprintOf(mono: Float32Array): Int32Array {
  const stream = new FingerprintStream()
  stream.push(new ResamplerChain([new HalfRate(), new HalfRate()]).push(mono))
  return stream.codes()
}

const silence = (seconds: number) => new Float32Array(Math.round(seconds * SAMPLE_RATE))

let pool: TestPool
let original: Float32Array
let known: number
/** Fingerprints of the original and of three other songs. */
let fingerprint: Int32Array
let others: Int32Array[]
beforeAll(async () => {
  pool = await openTestPool()
  original = song(1)
  fingerprint = fingerprintOf(original)
  others = [2, 3, 4].map((seed) => fingerprintOf(song(seed)))
})
afterAll(() => pool.close())

async function insertFingerprint(codes: Int32Array): Promise<number> {
  const { sql } = pool.ctx
  const [file] = await sql<{ file_id: number }[]>`
    insert into file (sha256, bytes, format, body) values (${randomBytes(32)}, 1, 'mp3', '{}') returning file_id`
  await saveFingerprint(sql, file!.file_id, codes)
  return file!.file_id
}

const find = (codes: Int32Array) => findSameRecordings(pool.ctx.sql, codes)

beforeEach(async () => {
  await pool.ctx.sql`delete from file`
  known = await insertFingerprint(fingerprint)
  for (const other of others) await insertFingerprint(other)
})

describe('the same recording', () => {
  test('matches itself', async () => {
    expect(await find(fingerprint)).toEqual([{ file_id: known, similarity: 1, offset_seconds: 0 }])
  })

  test('is found in an MP3 of 128 kbit/s', async () => {
    const file = path.join(os.tmpdir(), `twins-${process.pid}.mp3`)
    fs.writeFileSync(file, await mp3Of([original]))
    try {
      const [found] = await find((await analyse(file)).fingerprint)
      expect(found).toMatchObject({ file_id: known, offset_seconds: expect.closeTo(0, 0) })
      expect(found!.similarity).toBeGreaterThan(0.9)
    } finally {
      fs.rmSync(file)
    }
  })

  test('is found at a quarter of its level, on two channels', async () => {
    const quiet = original.map((sample) => sample / 4)
    const [found] = await find(fingerprintWith(new SignalAnalyser(SAMPLE_RATE, plainLayout(2)), [quiet, quiet]))
    expect(found!.file_id).toBe(known)
    expect(found!.similarity).toBeGreaterThan(0.97)
  })

  test('is found at another sample rate', async () => {
    const [found] = await find(
      fingerprintWith(new SignalAnalyser(48_000, plainLayout(1)), [new LinearRate(SAMPLE_RATE, 48_000).push(original)]),
    )
    expect(found!.file_id).toBe(known)
    expect(found!.similarity).toBeGreaterThan(0.95)
  })

  test.each([0.06, 1.37, 21.7])('is found behind %s seconds of silence, with its offset', async (seconds) => {
    const [found] = await find(fingerprintOf(join(silence(seconds), original)))
    expect(found!.file_id).toBe(known)
    expect(found!.similarity).toBeGreaterThan(0.85)
    expect(Math.abs(found!.offset_seconds + seconds)).toBeLessThan(0.15)
  })

  test('is found from its second half alone', async () => {
    const [found] = await find(fingerprintOf(original.subarray(original.length / 2)))
    expect(found!.file_id).toBe(known)
    expect(Math.abs(found!.offset_seconds - original.length / 2 / SAMPLE_RATE)).toBeLessThan(0.15)
  })

  test('is found behind sixteen bars of drums, and with the vocals removed', async () => {
    const [intro] = await find(fingerprintOf(song(1, { version: 'Intro Dirty', seconds: 54 })))
    const [clean] = await find(fingerprintOf(song(1, { version: 'Clean' })))
    expect([intro?.file_id, clean?.file_id]).toEqual([known, known])
  })

  test('matches neither another song of the same genre, tempo, key and synthesiser, nor the acapella', async () => {
    expect(await find(fingerprintOf(song(5)))).toEqual([])
    expect(await find(fingerprintOf(song(1, { version: 'Acapella' })))).toEqual([])
  })

  test('lists the most similar first', async () => {
    const loud = original.map((sample) => Math.tanh(sample * 3))
    const distorted = await insertFingerprint(fingerprintOf(loud))
    const found = await find(fingerprint)
    expect(found.map(({ file_id }) => file_id)).toEqual([known, distorted])
    expect(found[1]!.similarity).toBeGreaterThan(MIN_SIMILARITY)
  })

  test('is looked up by keys that few files share', async () => {
    const late = fingerprintOf(join(silence(1.37), original))
    const { sql } = pool.ctx
    await sql`
      with added as (
        insert into file (sha256, bytes, format, body)
        select sha256(('common ' || n)::bytea), 1, 'mp3', '{}' from generate_series(1, 100) as n returning file_id)
      insert into fingerprint (file_id, codes, keys)
      select file_id, ${packCodes(Int32Array.of(1))}, ${keysOf(late).slice(0, 100)}::int[] from added`
    const [found] = await find(late)
    expect(found?.file_id).toBe(known)
  })

  test('is deleted with its file', async () => {
    await pool.ctx.sql`delete from file where file_id = ${known}`
    expect(await find(fingerprint)).toEqual([])
  })
})

describe('a fingerprint', () => {
  test('of silence, of nine seconds or of nothing is empty, and is not stored', async () => {
    const random = noise(4)
    const short = Float32Array.from({ length: 9 * SAMPLE_RATE }, () => random() * 0.2)
    const empty = [silence(20), short, new Float32Array(0)].map((mono) => fingerprintOf(mono))
    expect(empty.map((codes) => codes.length)).toEqual([0, 0, 0])
    expect(await find(empty[0]!)).toEqual([])
    await insertFingerprint(empty[0]!)
    const [preserved] = await pool.ctx.sql`select count(*)::int as n from fingerprint`
    expect(preserved!.n).toBe(4)
  })

  test('has eight codes a second, of the first ten minutes only', () => {
    const random = noise(9)
    const stream = new FingerprintStream()
    const minute = Float32Array.from({ length: 60 * CHROMA_SAMPLE_RATE }, () => random() * 0.2)
    stream.push(minute)
    expect(Math.abs(stream.codes().length - 60 * 8.08)).toBeLessThan(12)
    for (let minutes = 1; minutes < 11; minutes++) stream.push(minute)
    expect(stream.codes().length).toBe(4846)
  })

  test('of two mostly silent songs does not match', async () => {
    const [one, other] = [original, song(2)].map((sound) => join(sound.subarray(0, 12 * SAMPLE_RATE), silence(24)))
    await insertFingerprint(fingerprintOf(one!))
    expect(await find(fingerprintOf(other!))).toEqual([])
  })

  test('is read from the database as it was stored', () => {
    const codes = Int32Array.of(0, 1, -1, 2 ** 31 - 1, -(2 ** 31))
    expect(unpackCodes(packCodes(codes))).toEqual(codes)
  })
})
