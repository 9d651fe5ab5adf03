import { type Box, boxesIn, findBox } from './mp4-boxes.ts'

/** How the frames of an M4A file are encoded. */
export type SampleEntry = {
  codec: 'aac' | 'alac'
  /** The AudioSpecificConfig of AAC (ISO/IEC 14496-3, 1.6.2.1) or the magic cookie of ALAC. */
  config: Buffer
  /** As declared; the extensions of HE-AAC can double the rate and make stereo of mono. */
  sample_rate: number
  channels: number
  /** Without the extensions of HE-AAC. */
  core_rate: number
  /** Bits of one sample of an ALAC; 0 for AAC. */
  bits: number
}

/** Why a file cannot be used. */
export type Mp4Problem = { code: 'unsupported_format' | 'undecodable' | 'truncated'; message: string }

const CONVERT = 'Convert it to MP3, WAV, FLAC or AIFF.'
export const unsupported = (what: string): Mp4Problem => ({ code: 'unsupported_format', message: `${what} ${CONVERT}` })
export const UNREADABLE: Mp4Problem = { code: 'undecodable', message: 'The M4A index can’t be read.' }

/** The description of the frames: `stsd` (ISO/IEC 14496-12, 8.5.2; QuickTime File Format, sound media). */
export function readSampleEntry(moov: Buffer, stsd: Box): SampleEntry | Mp4Problem {
  const entries = [...boxesIn(moov, stsd.body + 8, stsd.end)]
  const [entry] = entries
  if (!entry) return UNREADABLE
  const { type } = entry
  if (type === 'drms' || type === 'enca')
    return { code: 'unsupported_format', message: 'This file is protected by DRM. Get it without DRM.' } as const
  if (entries.length > 1) return unsupported('The audio of this file changes its format.')
  if (type !== 'mp4a' && type !== 'alac')
    return unsupported(`The codec “${printable(type)}” in this MP4 file isn’t supported.`)
  const version = moov.readUInt16BE(entry.body + 8)
  const headBytes = version === 1 ? 44 : version === 2 ? moov.readUInt32BE(entry.body + 28) - 8 : 28
  const content: Box = { ...entry, body: Math.min(entry.end, entry.body + headBytes) }
  const find = (name: string) => findBox(moov, content, name) ?? findBox(moov, content, 'wave', name)
  if (type === 'alac') {
    const box = find('alac')
    return box ? readAlacCookie(Buffer.from(moov.subarray(box.body + 4, box.end))) : UNREADABLE
  }
  const esds = find('esds')
  return esds ? readEsds(moov.subarray(esds.body + 4, esds.end)) : UNREADABLE
}

const printable = (type: string) => type.replace(/[^\x20-\x7e]/g, '?').trim()

const ALAC_COOKIE_BYTES = 24

function readAlacCookie(config: Buffer): SampleEntry | Mp4Problem {
  if (config.length < ALAC_COOKIE_BYTES) return UNREADABLE
  const sample_rate = config.readUInt32BE(20)
  return { codec: 'alac', config, bits: config[5]!, channels: config[9]!, sample_rate, core_rate: sample_rate }
}

/** Tags of descriptors (ISO/IEC 14496-1, 7.2.2.1). */
const ES_DESCRIPTOR = 3
const DECODER_CONFIG = 4
const DECODER_SPECIFIC = 5
/** MPEG-4 and MPEG-2 AAC (ISO/IEC 14496-1, table 5). */
const AAC_TYPES: ReadonlySet<number> = new Set([0x40, 0x66, 0x67])
const MP3_TYPES: ReadonlySet<number> = new Set([0x69, 0x6b])

function readEsds(bytes: Buffer): SampleEntry | Mp4Problem {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const tag = bytes[at++]!
    let length = 0
    for (let count = 0; count < 4; count++) {
      const byte = bytes[at++] ?? 0
      length = length * 128 + (byte & 127)
      if (byte < 128) break
    }
    if (tag === ES_DESCRIPTOR) {
      const flags = bytes[at + 2] ?? 0
      at += 3
      if (flags & 0x80) at += 2
      if (flags & 0x40) at += 1 + (bytes[at] ?? 0)
      if (flags & 0x20) at += 2
    } else if (tag === DECODER_CONFIG) {
      const type = bytes[at] ?? 0
      if (MP3_TYPES.has(type)) return unsupported('This MP4 file contains MP3 audio.')
      if (!AAC_TYPES.has(type)) return unsupported('The codec in this MP4 file isn’t supported.')
      at += 13
    } else if (tag === DECODER_SPECIFIC) {
      return readAudioConfig(Buffer.from(bytes.subarray(at, at + length)))
    } else at += length
  }
  return UNREADABLE
}

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
/** Main, LC, LTP, and LC with SBR (HE-AAC) and with parametric stereo (HE-AAC v2): ISO/IEC 14496-3, table 1.17. */
const SBR = 5
const PARAMETRIC_STEREO = 29
const OBJECT_TYPES: ReadonlySet<number> = new Set([1, 2, 4, SBR, PARAMETRIC_STEREO])

/** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). */
function readAudioConfig(config: Buffer): SampleEntry | Mp4Problem {
  let position = 0
  const bits = (count: number): number => {
    let value = 0
    for (let n = 0; n < count; n++, position++) {
      value = value * 2 + (((config[position >> 3] ?? 0) >> (7 - (position & 7))) & 1)
    }
    return value
  }
  const rate = () => {
    const index = bits(4)
    return index === 15 ? bits(24) : (RATES[index] ?? 0)
  }
  const escaped = bits(5)
  const objectType = escaped === 31 ? 32 + bits(6) : escaped
  const core_rate = rate()
  const configuration = bits(4)
  const isExtended = objectType === SBR || objectType === PARAMETRIC_STEREO
  const sample_rate = isExtended ? rate() : core_rate
  if (config.length < 2 || core_rate === 0 || sample_rate === 0) return UNREADABLE
  if (!OBJECT_TYPES.has(objectType)) return unsupported('This kind of AAC isn’t supported.')
  const channels = objectType === PARAMETRIC_STEREO ? 2 : configuration === 7 ? 8 : configuration
  return { codec: 'aac', config, bits: 0, channels: channels || 2, sample_rate, core_rate }
}
