/** The header of one MPEG Layer III frame (ISO 11172-3, 2.4.2.3; MPEG-2 and 2.5 at lower rates). */
export type FrameHeader = {
  version: number
  sample_rate: number
  /** 0 for "free format", whose length is not in the header. */
  bitrate_kbps: number
  padding: number
  samples: number
  channels: 1 | 2
  is_protected: boolean
  /** Whole frame in bytes, header included; 0 for free format. */
  bytes: number
  side_bytes: number
}

const MPEG_1 = 3
const KBPS_MPEG_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const KBPS_MPEG_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES: Record<number, number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
}
const LAYER_3 = 1

/** Reads a frame header at `offset`; returns undefined when these four bytes are not one. */
export function parseFrameHeader(bytes: Uint8Array, offset = 0): FrameHeader | undefined {
  const [a, b, c, d] = [bytes[offset]!, bytes[offset + 1]!, bytes[offset + 2]!, bytes[offset + 3]!]
  if (a !== 0xff || (b & 0xe0) !== 0xe0 || ((b >> 1) & 3) !== LAYER_3) return undefined
  const version = (b >> 3) & 3
  const sampleRate = RATES[version]?.[(c >> 2) & 3]
  const isMpeg1 = version === MPEG_1
  const kbps = (isMpeg1 ? KBPS_MPEG_1 : KBPS_MPEG_2)[c >> 4]
  const reservedEmphasis = (d & 3) === 2
  if (sampleRate === undefined || kbps === undefined || reservedEmphasis) return undefined
  const isMono = d >> 6 === 3
  const samples = isMpeg1 ? 1152 : 576
  const padding = (c >> 1) & 1
  return {
    version,
    sample_rate: sampleRate,
    bitrate_kbps: kbps,
    padding,
    samples,
    channels: isMono ? 1 : 2,
    is_protected: (b & 1) === 0,
    bytes: kbps ? Math.floor((samples / 8) * ((kbps * 1000) / sampleRate)) + padding : 0,
    side_bytes: isMpeg1 ? (isMono ? 17 : 32) : isMono ? 9 : 17,
  }
}

/**
 * Whether two frames can belong to one stream: version, sample rate and free format must match, bit rate and channel
 * mode may differ.
 */
export function isSameStream(a: FrameHeader, b: FrameHeader): boolean {
  return a.version === b.version && a.sample_rate === b.sample_rate && (a.bytes === 0) === (b.bytes === 0)
}

/** What a first frame without audio says about the file. */
export type CountFrame = {
  id: 'Xing' | 'Info' | 'VBRI'
  frames?: number
  /**
   * LAME's own part: bytes from the start of this frame to the end of the music, and the CRC of everything after this
   * frame.
   */
  lame?: { music_bytes: number; music_crc: number }
}

/** Reads a Xing, Info (LAME's variant) or VBRI (Fraunhofer) frame; returns undefined for an audio frame. */
export function parseCountFrame(frame: Buffer, header: FrameHeader): CountFrame | undefined {
  const at = 4 + header.side_bytes
  const id = frame.toString('latin1', at, at + 4)
  if (frame.toString('latin1', 36, 40) === 'VBRI' && frame.length >= 54) {
    return { id: 'VBRI', frames: frame.readUInt32BE(50) }
  }
  if ((id !== 'Xing' && id !== 'Info') || frame.length < at + 16) return undefined
  const fields = frame.readUInt32BE(at + 4)
  const frames = fields & 1 ? frame.readUInt32BE(at + 8) : undefined
  const lameAt = at + 8 + (fields & 1 ? 4 : 0) + (fields & 2 ? 4 : 0) + (fields & 4 ? 100 : 0) + (fields & 8 ? 4 : 0)
  return { id, ...(frames !== undefined && { frames }), ...parseLameTag(frame, lameAt) }
}

/** LAME's tag (Mp3 Info Tag rev. 1): music length at 28, music CRC at 32. Only LAME itself fills the CRC. */
function parseLameTag(frame: Buffer, at: number): { lame: NonNullable<CountFrame['lame']> } | undefined {
  if (at + 36 > frame.length || frame.toString('latin1', at, at + 4) !== 'LAME') return undefined
  const lame = { music_bytes: frame.readUInt32BE(at + 28), music_crc: frame.readUInt16BE(at + 32) }
  return lame.music_crc ? { lame } : undefined
}
