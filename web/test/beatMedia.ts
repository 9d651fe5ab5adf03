import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Preview } from '../../server/src/analysis/preview.ts'
import { type Clip, cutClip, cutPart, readClip } from '../../server/src/player/clip.ts'

/** Previews in which each beat is a short tone, made and cut as on the server. */

const RATE = 44_100
const SECONDS = 75
const LEVEL = 0.4
const ATTACK_SECONDS = 0.001
const DECAY_SECONDS = 0.025

const previews = new Map<string, Promise<Buffer>>()

/** '/beats_1200_0.4_124x61_125.2x400.mp3': the pitch, the first beat in seconds, and tempos with their number of beats. */
function drawBeats(name: string): Float32Array {
  const [, hertz, first, ...tempos] = name.replace('.mp3', '').split('_')
  const samples = new Float32Array(SECONDS * RATE)
  let at_seconds = Number(first)
  for (const [bpm, beats] of tempos.map((tempo) => tempo.split('x').map(Number)))
    for (let beat = 0; beat < beats!; beat++, at_seconds += 60 / bpm!) drawTone(samples, at_seconds, Number(hertz))
  return samples
}

function drawTone(samples: Float32Array, at_seconds: number, hertz: number) {
  const from = Math.ceil(at_seconds * RATE)
  for (let i = from; i < Math.min(samples.length, from + 0.2 * RATE); i++) {
    const seconds = i / RATE - at_seconds
    const envelope = Math.min(1, seconds / ATTACK_SECONDS) * Math.exp(-seconds / DECAY_SECONDS)
    samples[i] = LEVEL * envelope * Math.sin(2 * Math.PI * hertz * seconds)
  }
}

async function encode(samples: Float32Array): Promise<Buffer> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'beats-')), 'preview.mp3')
  const fd = fs.openSync(file, 'w')
  const preview = await Preview.start(fd, { sample_rate: RATE, channels: 1 })
  preview.push([samples])
  preview.finish()
  fs.closeSync(fd)
  const bytes = fs.readFileSync(file)
  fs.rmSync(path.dirname(file), { recursive: true })
  return bytes
}

/** What the server replies to a request for such a preview, with its ETag. */
export async function readBeatPreview(url: string): Promise<{ etag: string; bytes: Buffer } | undefined> {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost')
  const name = pathname.slice(1)
  const preview = await (previews.get(name) ?? remember(name))
  const read = async function* (from: number, to: number) {
    yield preview.subarray(from, to)
  }
  const [from, to] = [query.get('from'), query.get('to')]
  if (query.has('k') && !from) return { etag: '"beats"', bytes: preview }
  const clip = query.has('k')
    ? await cutPart({ bytes: preview.length, from: Number(from), to: Number(to) }, read)
    : await cutClip({ bytes: preview.length, start_seconds: Number(query.get('s') ?? 0) }, read)
  if (!clip) return undefined
  return { etag: `"beats-part-${from}-${to}"`, bytes: await readAll(clip, read) }
}

const remember = (name: string) => {
  const preview = encode(drawBeats(name))
  previews.set(name, preview)
  return preview
}

async function readAll(clip: Clip, read: Parameters<typeof readClip>[1]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const bytes of readClip(clip, read, 0, clip.length)) parts.push(Buffer.from(bytes))
  return Buffer.concat(parts)
}
