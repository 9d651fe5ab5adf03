import { type Fault, faultAt } from './faults.ts'
import type { FileWindow } from './file-window.ts'
import { MAX_SAMPLE_RATE, MIN_SAMPLE_RATE } from './integrity-pcm.ts'
import { skipLeadingTags, skipTrailingTags } from './mp3-tags.ts'

export type FlacStructure = {
  format: 'flac'
  faults: Fault[]
  /** Byte range of the audio frames, excluding metadata and foreign tags at either end. */
  from: number
  to: number
  sample_rate: number
  channels: number
  bits: number
  /** 0 when the encoder did not know it. */
  total_samples: number
  /** MD5 of the decoded samples, in hexadecimal; undefined when the encoder wrote none. */
  md5?: string
  duration_seconds: number
  is_decodable: boolean
}

/**
 * Position after the last metadata block. Each block has a byte of type, with the top bit set on the last, and three
 * bytes of length.
 */
function skipMetadata(file: FileWindow, start: number): number {
  let position = start
  for (;;) {
    const head = file.bytes(position, 4)
    if (!head) return file.size
    position += 4 + head.readUIntBE(1, 3)
    if (head[0]! & 128) return position
  }
}

const EMPTY_STRUCTURE = {
  ...{ from: 0, to: 0, sample_rate: 0, channels: 0, bits: 0, total_samples: 0 },
  ...{ duration_seconds: 0, is_decodable: false },
}

function unreadableHeader(file: FileWindow, start: number): FlacStructure {
  const isCut = file.size < start + 42
  const fault = isCut
    ? faultAt(0, 'truncated', 'The file ends inside its header and contains no audio.')
    : { code: 'undecodable', message: 'The FLAC header can’t be read.' }
  return { format: 'flac', faults: [fault], ...EMPTY_STRUCTURE }
}

/**
 * Reads STREAMINFO (RFC 9639, 8.2). Faults: truncated, undecodable, unsupported_pcm. The state of the audio itself is
 * known only after decoding.
 */
export function inspectFlac(file: FileWindow): FlacStructure {
  const start = skipLeadingTags(file)
  const info = file.copy(start + 8, 34)
  const sampleRate = info ? info.readUIntBE(10, 3) >> 4 : 0
  if (!info || (file.bytes(start + 4, 1)![0]! & 127) !== 0 || sampleRate === 0) {
    return unreadableHeader(file, start)
  }
  if (sampleRate < MIN_SAMPLE_RATE || sampleRate > MAX_SAMPLE_RATE) {
    const message = `The sample rate of ${sampleRate} Hz isn’t supported.`
    return { format: 'flac', faults: [{ code: 'unsupported_pcm', message }], ...EMPTY_STRUCTURE }
  }
  const md5 = info.toString('hex', 18, 34)
  const total = (info[13]! & 15) * 2 ** 32 + info.readUInt32BE(14)
  return {
    format: 'flac',
    faults: [],
    from: skipMetadata(file, start + 4),
    to: skipTrailingTags(file),
    sample_rate: sampleRate,
    channels: ((info[12]! >> 1) & 7) + 1,
    bits: (((info[12]! & 1) << 4) | (info[13]! >> 4)) + 1,
    total_samples: total,
    ...(/[^0]/.test(md5) && { md5 }),
    duration_seconds: total / sampleRate,
    is_decodable: true,
  }
}
