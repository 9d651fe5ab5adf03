import { type Fault, isWarning } from '../../audio-files/faults.ts'
import { FileWindow } from '../../audio-files/file-window.ts'
import { inspect, type Structure } from '../../audio-files/integrity.ts'
import { decode } from '../decode.ts'
import { AiffWriter } from './aiff-writer.ts'
import type { ConversionFormat } from './formats.ts'
import { Mp3Writer } from './mp3-writer.ts'

/** File descriptors of the source and of the empty file to write. */
export type ConversionFiles = { source: number; target: number }

export type ConversionOptions = {
  format: ConversionFormat
  maxDurationSeconds: number
  /** LAME's -q, for measurements. */
  quality?: number
  /** Receives the share of the source that was converted, 0..1. */
  onProgress?: (share: number) => void
}

/** Bits of a sample of a lossless file, and the integer that its decoder returns as 1; undefined for a lossy one. */
function sampleFormat(structure: Structure): { bits: number; scale: number } | undefined {
  if (structure.format === 'flac') return { bits: structure.bits, scale: 2 ** (structure.bits - 1) - 1 }
  if (structure.format === 'm4a' && structure.track?.codec === 'alac')
    return { bits: structure.track.bits, scale: 2 ** (structure.track.bits - 1) }
  if (structure.format !== 'wav' && structure.format !== 'aiff') return undefined
  const { encoding, sample_bytes } = structure.layout!
  // What a float has above 24 bits is not written.
  const bits = encoding === 'float' ? 24 : 8 * sample_bytes
  return { bits, scale: 2 ** (bits - 1) }
}

/** Converts a lossless file in one pass. Throws when it is lossy, damaged, too long or has more than two channels. */
export async function convertOpened({ source, target }: ConversionFiles, options: ConversionOptions): Promise<void> {
  const structure = inspect(new FileWindow(source))
  const format = 'format' in structure && structure.is_decodable ? sampleFormat(structure) : undefined
  if (!('format' in structure) || !format) throw new Error('The file is not a lossless recording')
  let writer: AiffWriter | Mp3Writer | undefined
  let channelCount = 0
  let samples = 0
  const onFault = (fault: Fault) => {
    if (!isWarning(fault)) throw new Error(fault.message)
  }
  for await (const { channels, sample_rate, share } of decode(source, structure, onFault)) {
    samples += channels[0]!.length
    if (samples > options.maxDurationSeconds * sample_rate) throw new Error('The audio is too long')
    if (writer === undefined) {
      channelCount = channels.length
      if (channelCount > 2) throw new Error(`The file has ${channelCount} channels`)
      writer = createWriter(target, { channels: channelCount === 1 ? 1 : 2, sample_rate, ...format }, options)
    }
    if (channels.length !== channelCount) throw new Error('The number of channels changes')
    writer.push(channels)
    options.onProgress?.(share)
  }
  if (!writer) throw new Error('The audio can’t be decoded')
  writer.finish()
}

type Shape = { channels: 1 | 2; sample_rate: number; bits: number; scale: number }

function createWriter(
  target: number,
  { bits, scale, ...shape }: Shape,
  { format, quality }: ConversionOptions,
): AiffWriter | Mp3Writer {
  if (format === 'mp3') return new Mp3Writer(target, { ...shape, ...(quality === undefined ? {} : { quality }) })
  const isShort = bits <= 16
  const written = isShort ? 16 : 24
  // A source of 8, 20 or 32 bits keeps its level. The scale of 16 and 24 bits is that of the source, which is exact.
  const isExact = bits === written
  return new AiffWriter(target, { ...shape, bits: written, scale: isExact ? scale : 2 ** (written - 1) })
}
