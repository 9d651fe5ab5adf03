import { crc16Reflected } from './crc.ts'
import { parseFrameHeader } from './mp3-frame.ts'
import { DECODER_DELAY, MAX_DELAY } from './mp3-info-frame.ts'

/**
 * How the first frame of an MP3 decides where DJ programs count from: A, no Xing or Info frame; B, one without LAME's
 * tag or with that of Lavf; C, LAME's tag with a missing or wrong checksum; D, LAME's tag with a correct one. Traktor
 * and Serato play the info frame of B and C as audio, rekordbox of none. Source: pestrela.github.io/dj_kb, "26 ms".
 */
export type TimingCase = 'A' | 'B' | 'C' | 'D'

export type Mp3Timing = {
  timing_case: TimingCase
  /**
   * Samples at the start of the audio that our decoder leaves out because the info frame declares them as the encoder's
   * delay. DJ programs play them.
   */
  skipped_samples: number
}

const WITHOUT_INFO_FRAME: Mp3Timing = { timing_case: 'A', skipped_samples: 0 }

const TOC_BYTES = 100
/** Positions in LAME's tag (Mp3 Info Tag rev. 1): delay and padding, and the checksum of the frame up to it. */
const DELAY_AT = 21
const CHECKSUM_AT = 34

/** Reads the first frame of an MP3; what follows it is ignored. */
export function readMp3Timing(frame: Buffer): Mp3Timing {
  const header = parseFrameHeader(frame)
  if (!header) return WITHOUT_INFO_FRAME
  const at = 4 + header.side_bytes
  const id = frame.toString('latin1', at, at + 4)
  if ((id !== 'Xing' && id !== 'Info') || frame.length < at + 8) return WITHOUT_INFO_FRAME
  const fields = frame.readUInt32BE(at + 4)
  const hasFrameCount = (fields & 1) !== 0
  const tagAt =
    at + 8 + (hasFrameCount ? 4 : 0) + (fields & 2 ? 4 : 0) + (fields & 4 ? TOC_BYTES : 0) + (fields & 8 ? 4 : 0)
  const hasTag = frame.length >= tagAt + CHECKSUM_AT + 2 && frame[tagAt] !== 0
  const delay = hasTag && hasFrameCount ? (frame.readUIntBE(tagAt + DELAY_AT, 3) >> 12) & MAX_DELAY : 0
  return { timing_case: caseOfTag(frame, tagAt, hasTag), skipped_samples: delay > 0 ? delay + DECODER_DELAY : 0 }
}

function caseOfTag(frame: Buffer, tagAt: number, hasTag: boolean): TimingCase {
  const encoder = frame.toString('latin1', tagAt, tagAt + 4)
  if (!hasTag || !/^[A-Za-z]/.test(encoder) || /^lav[cf]/i.test(encoder)) return 'B'
  const checksum = frame.readUInt16BE(tagAt + CHECKSUM_AT)
  return checksum !== 0 && checksum === crc16Reflected(frame.subarray(0, tagAt + CHECKSUM_AT)) ? 'D' : 'C'
}
