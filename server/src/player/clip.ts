import { isSameStream, parseFrameHeader } from '../audio-files/mp3-frame.ts'

/** Previews are MP3 at a constant 128 kbit/s, so the position of any second can be computed. */
const BYTES_PER_SECOND = 16_000
const CLIP_SECONDS = 30
/** Three of the longest frames, 576 bytes at 32 kHz: a frame that is followed by another one begins within them. */
const WINDOW_BYTES = 3 * 576

/** Bytes of a preview, `from` to `to`, end exclusive. */
type ReadRange = (from: number, to: number) => AsyncIterable<Uint8Array>

/**
 * Returns the part of a preview of `bytes` that visitors hear, as a byte range: 30 s from its start position, or what
 * is left from there. It begins with a whole frame, so that no player has to search for one.
 */
export async function readClip(
  { bytes, start_seconds }: { bytes: number; start_seconds: number },
  read: ReadRange,
): Promise<{ from: number; to: number }> {
  const approximateStart = Math.round(start_seconds * BYTES_PER_SECOND)
  const from =
    approximateStart > 0 && approximateStart < bytes
      ? approximateStart +
        (await skipToNextFrame(read(approximateStart, Math.min(bytes, approximateStart + WINDOW_BYTES))))
      : 0
  return { from, to: Math.min(bytes, from + CLIP_SECONDS * BYTES_PER_SECOND) }
}

/** Returns the distance to the first frame that is followed by another one of the same stream; 0 if there is none. */
async function skipToNextFrame(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const read: Buffer[] = []
  for await (const chunk of chunks) read.push(Buffer.from(chunk))
  const window = Buffer.concat(read)
  for (let at = 0; at + 4 <= window.length; at++) {
    const header = parseFrameHeader(window, at)
    const next = header?.bytes ? parseFrameHeader(window, at + header.bytes) : undefined
    if (header && next && isSameStream(header, next)) return at
  }
  return 0
}
