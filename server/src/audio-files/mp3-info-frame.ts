import { crc16Reflected } from './crc.ts'
import { type FrameHeader, parseCountFrame } from './mp3-frame.ts'

/** What the first frame of an MP3 of constant bit rate says about the others. */
export type Mp3Info = {
  /** Without the info frame itself. */
  frames: number
  /** With the info frame. */
  bytes: number
  /** Samples that the encoder added before and after the audio. */
  delay: number
  padding: number
}

/** Samples that a decoder of Layer III adds before the encoder's delay. */
export const DECODER_DELAY = 529

/** Largest delay and padding that the frame can hold. */
export const MAX_DELAY = 4095

const TOC_ENTRIES = 100
const TAG_AFTER_ID = 4 + 4 + 4 + TOC_ENTRIES + 4
const DELAY_AT = 21
const CRC_AT = 34
const CONSTANT_BIT_RATE = 1

/** Length of the info frame in the stream of this frame: that of a frame without a padding byte. */
export const infoFrameBytes = (header: FrameHeader): number => header.bytes - header.padding

/**
 * An info frame with LAME's tag (Mp3 Info Tag rev. 1), from which players learn the length and leave out the encoder's
 * delay. `first` is an audio frame of the stream.
 */
export function createInfoFrame(first: Uint8Array, header: FrameHeader, info: Mp3Info): Buffer {
  const frame = Buffer.alloc(infoFrameBytes(header))
  frame.set(first.subarray(0, 4))
  // No checksum, no padding byte.
  frame[1] = frame[1]! | 1
  frame[2] = frame[2]! & ~2
  const at = 4 + header.side_bytes
  frame.write('Info', at, 'latin1')
  frame.writeUInt32BE(0b1111, at + 4)
  frame.writeUInt32BE(info.frames, at + 8)
  frame.writeUInt32BE(info.bytes, at + 12)
  for (let i = 0; i < TOC_ENTRIES; i++) frame[at + 16 + i] = Math.floor((i * 256) / TOC_ENTRIES)
  const tagAt = at + 4 + TAG_AFTER_ID
  frame.write('LAME3.100', tagAt, 'latin1')
  frame[tagAt + 9] = CONSTANT_BIT_RATE
  frame[tagAt + 20] = header.bitrate_kbps
  frame.writeUIntBE(info.delay * 4096 + info.padding, tagAt + DELAY_AT, 3)
  frame.writeUInt32BE(info.bytes, tagAt + 28)
  frame.writeUInt16BE(crc16Reflected(frame.subarray(0, tagAt + CRC_AT)), tagAt + CRC_AT)
  return frame
}

/** Reads the info frame of a preview; returns undefined for any other frame. */
export function parseInfoFrame(frame: Buffer, header: FrameHeader): Mp3Info | undefined {
  const { id, frames } = parseCountFrame(frame, header) ?? {}
  const at = 4 + header.side_bytes
  const tagAt = at + 4 + TAG_AFTER_ID
  const hasAllFields = frame.length >= tagAt + CRC_AT + 2 && (frame.readUInt32BE(at + 4) & 0b1111) === 0b1111
  if (id !== 'Info' || frames === undefined || !hasAllFields) return undefined
  const trims = frame.readUIntBE(tagAt + DELAY_AT, 3)
  return { frames, bytes: frame.readUInt32BE(at + 12), delay: trims >> 12, padding: trims & MAX_DELAY }
}
