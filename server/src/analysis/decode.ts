import { MPEGDecoder } from 'mpg123-decoder'
import { type AudioBlock, readChunks } from '../audio-files/audio-block.ts'
import { decodePcm } from '../audio-files/decode-pcm.ts'
import type { Fault } from '../audio-files/faults.ts'
import type { Structure } from '../audio-files/integrity.ts'
import type { Mp3Structure } from '../audio-files/integrity-mp3.ts'
import { decodeFlac } from './decode-flac.ts'
import { decodeM4a } from './decode-m4a.ts'
import { decodeOgg } from './decode-ogg.ts'

/** Decodes with mpg123 in WebAssembly, without the encoder's padding if LAME's tag declares it. */
async function* decodeMp3(fd: number, { from, to, channels }: Mp3Structure): AsyncGenerator<AudioBlock> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  try {
    for (const { bytes, share } of readChunks(fd, from, to)) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(bytes)
      // mpg123 decodes mono to two channels, which would measure 3 LU louder than the same WAV.
      if (samplesDecoded > 0) yield { channels: channelData.slice(0, channels), sample_rate: sampleRate, share }
    }
  } finally {
    decoder.free()
  }
}

/**
 * Decodes in blocks, so that memory use does not grow with the file. `report` receives the faults that only decoding
 * can find: truncated, frame_checksum and flac_md5 of a FLAC, lost_sync of an M4A.
 */
export function decode(
  fd: number,
  structure: Structure,
  report: (fault: Fault) => void,
): AsyncGenerator<AudioBlock> | Generator<AudioBlock> {
  if (structure.format === 'mp3') return decodeMp3(fd, structure)
  if (structure.format === 'flac') return decodeFlac(fd, structure, report)
  if (structure.format === 'm4a') return decodeM4a(fd, structure, report)
  if (structure.format === 'ogg' || structure.format === 'opus') return decodeOgg(fd, structure, report)
  return decodePcm(fd, structure.layout!)
}
