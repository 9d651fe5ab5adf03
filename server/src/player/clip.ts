import { isSameStream, parseFrameHeader } from '../audio/mp3-frame.ts'

/** Previews are MP3 at 128 kbit/s, constant: any second of one is at a place that can be computed. */
const BYTES_A_SECOND = 16_000
export const CLIP_SECONDS = 30
/** Three frames of the longest, 576 bytes at 32 kHz: within them one begins that another follows. */
const WINDOW_BYTES = 3 * 576

/** Bytes of a preview, `from` to `to`, end exclusive. */
type Read = (from: number, to: number) => AsyncIterable<Uint8Array>

/**
 * What of a preview of `bytes` a visitor hears, as a byte range: 30 s from where it is to begin, or what is left from
 * there. It begins with a whole frame, so that no player has to look for one.
 */
export async function clipOf(
  { bytes, start_seconds }: { bytes: number; start_seconds: number },
  read: Read,
): Promise<{ from: number; to: number }> {
  const near = Math.round(start_seconds * BYTES_A_SECOND)
  const from =
    near > 0 && near < bytes ? near + (await toNextFrame(read(near, Math.min(bytes, near + WINDOW_BYTES)))) : 0
  return { from, to: Math.min(bytes, from + CLIP_SECONDS * BYTES_A_SECOND) }
}

/** How far it is to the first frame that another of the same stream follows; 0 where there is none. */
async function toNextFrame(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const read: Buffer[] = []
  for await (const piece of pieces) read.push(Buffer.from(piece))
  const window = Buffer.concat(read)
  for (let at = 0; at + 4 <= window.length; at++) {
    const header = parseFrameHeader(window, at)
    const next = header?.bytes ? parseFrameHeader(window, at + header.bytes) : undefined
    if (header && next && isSameStream(header, next)) return at
  }
  return 0
}
