import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis'
import { OpusDecoder } from 'opus-decoder'
import { type AudioBlock, readChunks } from '../audio-files/audio-block.ts'
import type { Fault } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import type { OggStructure } from '../audio-files/integrity-ogg.ts'
import { MAX_HEAD_BYTES, readOggPage } from '../audio-files/ogg-pages.ts'

/** Cuts blocks to the part of a stream that is played. */
function createCut(skip: number, total: number): (channels: Float32Array[]) => Float32Array[] | undefined {
  let position = 0
  return (channels) => {
    const length = channels[0]?.length ?? 0
    const from = Math.min(length, Math.max(0, skip - position))
    const to = Math.min(length, Math.max(0, skip + total - position))
    position += length
    return to > from ? channels.map((samples) => samples.subarray(from, to)) : undefined
  }
}

/** Decodes with libvorbis in WebAssembly. */
async function* decodeVorbis(fd: number, structure: OggStructure): AsyncGenerator<AudioBlock> {
  const { to, sample_rate, total_samples } = structure
  const decoder = new OggVorbisDecoder()
  await decoder.ready
  const cut = createCut(0, total_samples)
  try {
    for (const { bytes, share } of readChunks(fd, 0, to)) {
      const channels = cut((await decoder.decode(bytes)).channelData)
      if (channels) yield { channels, sample_rate, share }
    }
    const last = cut((await decoder.flush()).channelData)
    if (last) yield { channels: last, sample_rate, share: 1 }
  } finally {
    decoder.free()
  }
}

/** Packets that are decoded together: about half a second. */
const BLOCK_PACKETS = 25
/** The longest packet that the decoder takes for each channel. */
const MAX_PACKET_BYTES = 3840

/** The packets of a stream. Damaged pages are left out; their fault has been reported. */
function* packetsOf(
  file: FileWindow,
  { from, to, serial }: OggStructure,
): Generator<{ packet: Buffer; share: number }> {
  let parts: Buffer[] = []
  for (let at = from; at < to; ) {
    const page = readOggPage(file.bytesUpTo(at, MAX_HEAD_BYTES))
    const body = page && file.copy(at + page.headBytes, page.bodyBytes)
    if (!page || !body) {
      at++
      continue
    }
    at += page.headBytes + page.bodyBytes
    if (page.serial !== serial) continue
    if (!page.isContinued) parts = []
    let position = 0
    for (const length of page.lacing) {
      parts.push(body.subarray(position, position + length))
      position += length
      if (length === 255) continue
      yield { packet: Buffer.concat(parts), share: (at - from) / (to - from) }
      parts = []
    }
  }
}

/** Decodes with libopus in WebAssembly, always at 48 kHz. */
async function* decodeOpus(fd: number, structure: OggStructure): AsyncGenerator<AudioBlock> {
  const { channels, sample_rate, total_samples, opus } = structure
  const { pre_skip, gain, streams, coupled_streams, mapping } = opus!
  const decoder = new OpusDecoder({
    ...{ channels, streamCount: streams, coupledStreamCount: coupled_streams, channelMappingTable: mapping },
    preSkip: 0,
  })
  await decoder.ready
  const cut = createCut(pre_skip, total_samples)
  let packets: Uint8Array[] = []
  const decodePackets = (share: number): AudioBlock | undefined => {
    const block = cut(decoder.decodeFrames(packets).channelData)
    packets = []
    if (gain !== 1) for (const samples of block ?? []) for (let i = 0; i < samples.length; i++) samples[i]! *= gain
    return block && { channels: block, sample_rate, share }
  }
  try {
    for (const { packet, share } of packetsOf(new FileWindow(fd), structure)) {
      if (packet.length > 0 && packet.length <= MAX_PACKET_BYTES * channels) packets.push(packet)
      const block = packets.length >= BLOCK_PACKETS ? decodePackets(share) : undefined
      if (block) yield block
    }
    const last = packets.length > 0 ? decodePackets(1) : undefined
    if (last) yield last
  } finally {
    decoder.free()
  }
}

/** Decodes an Ogg file from the first sample that is played to the last. */
export async function* decodeOgg(
  fd: number,
  structure: OggStructure,
  report: (fault: Fault) => void,
): AsyncGenerator<AudioBlock> {
  try {
    yield* structure.format === 'opus' ? decodeOpus(fd, structure) : decodeVorbis(fd, structure)
  } catch {
    // The decoders throw for headers that contradict each other.
    report({ code: 'undecodable', message: 'The audio can’t be decoded.' })
  }
}
