import type { Id3Frame, RawFrame } from './id3-frames.ts'
import { decodeValues, encodeStrings } from './id3-text.ts'

/** Names of the ID3v2.2 frames that allowed-tags.ts knows (id3v2-00 section 4 and id3v2.3.0 section 4). */
const VERSION_2_NAMES: Record<string, string> = { TCM: 'TCOM', TXT: 'TEXT', TP3: 'TPE3', TCR: 'TCOP', TLA: 'TLAN' }

/**
 * Converts a frame to ID3v2.3. From the other versions only plain texts are converted; returns null for the rest, which
 * no download includes.
 */
export function toVersion3(frame: RawFrame): Id3Frame | null {
  if (frame.version === 3) return { id: frame.id, bytes: frame.bytes }
  if (frame.version === 2) {
    const id = VERSION_2_NAMES[frame.id]
    return id ? { id, bytes: frame.bytes } : null
  }
  if (!frame.id.startsWith('T') || frame.id === 'TXXX') return null
  return { id: frame.id, bytes: convertText(frame.bytes) }
}

/** Several values are separated by zeros in 2.4 and by a slash in 2.3. */
function convertText(bytes: Buffer): Buffer {
  const { encoding, parts } = encodeStrings([decodeValues(bytes[0] ?? 0, bytes.subarray(1)).join('/')])
  return Buffer.concat([encoding, ...parts])
}
