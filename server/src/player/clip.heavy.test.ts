import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyse } from '../analysis/analyse.ts'
import { decodeMp3Buffer, mp3Of, tune, wavOf } from '../analysis/make-audio.ts'
import { cutClip, cutPart, readClip } from './clip.ts'

const RATE = 44_100
const SECONDS = 50
/** What decoders leave out at the start when an info frame says so: LAME's delay and their own. */
const ENCODER_DELAY = 576 + 529

let folder: string
const sound = tune({ seed: 4, seconds: SECONDS })
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clip-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

/** A preview as it is made today. */
async function currentPreview(): Promise<Buffer> {
  const [source, previewPath] = [path.join(folder, 'source.wav'), path.join(folder, 'preview.mp3')]
  fs.writeFileSync(source, wavOf(sound))
  await analyse(source, { previewPath })
  return fs.readFileSync(previewPath)
}

const readerOf = (preview: Buffer) =>
  async function* (from: number, to: number) {
    // In small parts, as a slow disk would.
    for (let at = from; at < to; at += 10_000) yield preview.subarray(at, Math.min(to, at + 10_000))
  }

async function clipOf(preview: Buffer, start_seconds: number, range?: [number, number]): Promise<Buffer> {
  const read = readerOf(preview)
  const clip = await cutClip({ bytes: preview.length, start_seconds }, read)
  const parts: Uint8Array[] = []
  for await (const part of readClip(clip, read, ...(range ?? [0, clip.length]))) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** A decoder’s arithmetic depends on how many frames came before. */
const ROUNDING = 1e-6

const largestDifference = (clip: Float32Array, whole: Float32Array) =>
  clip.reduce((most, sample, i) => Math.max(most, Math.abs(sample - whole[i]!)), 0)

const levelOf = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

describe.each([
  ['a preview', currentPreview, 0],
  ['a preview without an info frame, by an earlier version', () => mp3Of(sound), ENCODER_DELAY],
])('the clip of %s', (_, make, wholeDelay) => {
  let preview: Buffer
  let whole: Float32Array
  beforeAll(async () => {
    preview = await make()
    whole = (await decodeMp3Buffer(preview))[0]!.subarray(wholeDelay)
  })

  test('has exactly the 30 s from its start, unchanged between the fades', async () => {
    const [clip] = await decodeMp3Buffer(await clipOf(preview, 12.3456))
    expect(clip!.length).toBe(30 * RATE)
    const start = Math.round(12.3456 * RATE)
    expect(largestDifference(clip!.subarray(RATE, 29 * RATE), whole.subarray(start + RATE))).toBeLessThan(ROUNDING)
  })

  test('fades in and out', async () => {
    const [clip] = await decodeMp3Buffer(await clipOf(preview, 12))
    const share = (at: number) => {
      const [from, to] = [at * RATE, (at + 0.05) * RATE]
      return levelOf(clip!.subarray(from, to)) / levelOf(whole.subarray(12 * RATE + from, 12 * RATE + to))
    }
    expect([share(0), share(29.95)].every((level) => level < 0.05)).toBe(true)
    expect(share(0.3)).toBeGreaterThan(share(0.1))
    expect(share(1)).toBeCloseTo(1, 3)
  })

  test('fades neither where the song begins nor where it ends', async () => {
    const [first] = await decodeMp3Buffer(await clipOf(preview, 0))
    expect(largestDifference(first!.subarray(0, 20 * RATE), whole)).toBeLessThan(ROUNDING)
    const [last] = await decodeMp3Buffer(await clipOf(preview, 40))
    expect(last!.length / RATE).toBeCloseTo(10, 0)
    expect(largestDifference(last!.subarray(RATE, 9 * RATE), whole.subarray(41 * RATE))).toBeLessThan(ROUNDING)
  })

  test('a part is exact from its first to its last sample, without fades', async () => {
    const read = readerOf(preview)
    const part = (await cutPart({ bytes: preview.length, from: 7, to: 45 }, read))!
    const parts: Uint8Array[] = []
    for await (const bytes of readClip(part, read, 0, part.length)) parts.push(Buffer.from(bytes))
    const [samples] = await decodeMp3Buffer(Buffer.concat(parts))
    expect(samples!.length).toBe(38 * RATE)
    expect(largestDifference(samples!, whole.subarray(7 * RATE))).toBeLessThan(ROUNDING)
    expect(await cutPart({ bytes: preview.length, from: SECONDS + 1, to: 60 }, read)).toBeUndefined()
  })

  test('is the same in parts, and begins at the start if its start is after the end', async () => {
    const clip = await clipOf(preview, 12)
    for (const [from, to] of [
      [0, 100],
      [300, 9000],
      [11_000, 400_000],
      [clip.length - 500, clip.length],
    ] as const) {
      expect((await clipOf(preview, 12, [from, to])).equals(clip.subarray(from, to))).toBe(true)
    }
    expect((await clipOf(preview, 4000)).equals(await clipOf(preview, 0))).toBe(true)
  })
})

test('the clip of a file that is no MP3 is its first bytes', async () => {
  expect(await clipOf(Buffer.alloc(1000), 5)).toHaveLength(1000)
})
