import { MPEGDecoder } from 'mpg123-decoder'
import { expect, test } from 'vitest'
import { encodeMp3 } from '../../test/encoded-mp3.ts'
import { parseFrameHeader } from './mp3-frame.ts'
import { createInfoFrame } from './mp3-info-frame.ts'
import { readMp3Timing } from './mp3-timing.ts'

const CLICK_AT = 20_000
const ENCODER_DELAY = 576
/** LAME's tag begins after the side information of 32 bytes and the fields of the info frame. */
const TAG_AT = 4 + 32 + 120

const sound = await encodeClick()
const header = parseFrameHeader(sound)!
const frames = Math.round(sound.length / header.bytes)
const infoFrame = (change: (frame: Buffer) => void = () => {}) => {
  const info = { frames, bytes: sound.length, delay: ENCODER_DELAY, padding: 1000 }
  const frame = createInfoFrame(sound, header, info)
  change(frame)
  return Buffer.concat([frame, sound])
}

async function encodeClick(): Promise<Buffer> {
  const samples = Float32Array.from({ length: 44_100 }, (_, i) => (i >= CLICK_AT && i < CLICK_AT + 400 ? 0.8 : 0))
  return encodeMp3([samples, samples], { sampleRate: 44_100, bitrate: 192 })
}

/** The position of the click in what our decoder returns, in samples. */
async function decodedClick(file: Buffer): Promise<number> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  const [samples] = decoder.decode(file).channelData
  decoder.free()
  return samples!.findIndex((sample) => Math.abs(sample) > 0.3)
}

const files = {
  A: sound,
  B: infoFrame((frame) => frame.write('Lavf58.7', TAG_AT, 'latin1')),
  C: infoFrame((frame) => frame.writeUInt16BE(0, TAG_AT + 34)),
  D: infoFrame(),
} as const

test.each(['A', 'B', 'C', 'D'] as const)('recognises case %s by the info frame', (name) => {
  expect(readMp3Timing(files[name]).timing_case).toBe(name)
})

test.each([
  [
    'a wrong checksum',
    infoFrame((frame) => frame.writeUInt16BE(frame.readUInt16BE(TAG_AT + 34) ^ 1, TAG_AT + 34)),
    'C',
  ],
  ['no encoder', infoFrame((frame) => frame.fill(0, TAG_AT)), 'B'],
  ['a frame that ends before the tag', infoFrame().subarray(0, TAG_AT + 10), 'B'],
  ['no frame', Buffer.alloc(10), 'A'],
] as const)('an info frame with %s is case %4$s', (_, file, timingCase) => {
  expect(readMp3Timing(file).timing_case).toBe(timingCase)
})

test.each(['A', 'B', 'C', 'D'] as const)('knows how many samples our decoder skips in case %s', async (name) => {
  const played = await decodedClick(files.A)
  expect((await decodedClick(files[name])) + readMp3Timing(files[name]).skipped_samples).toBe(played)
  expect(readMp3Timing(files[name]).skipped_samples).toBe(name === 'A' ? 0 : ENCODER_DELAY + 529)
})
