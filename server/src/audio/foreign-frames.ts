import type { KeptFrame } from './body.ts'
import { type Id3Frame, readId3Frames } from './id3-frames.ts'
import { decodeText, splitAtTerminator } from './id3-text.ts'
import type { keepLimit } from './keep-limit.ts'

/** ID3v2.3 frames that the pool writes itself, or that would contradict what it writes. */
export const OWN_FRAMES: ReadonlySet<string> = new Set(
  'TIT2 TIT3 TPE1 TALB TCON TYER TDAT TIME TRDA TBPM TKEY TPUB TSRC TPE4 APIC TLEN TSIZ'.split(' '),
)

/** The frames of other software in a tag: Serato's and rekordbox's objects, play counters, sort fields and the like. */
export function keepForeignFrames(tag: Buffer, limit: ReturnType<typeof keepLimit>): KeptFrame[] {
  return readId3Frames(tag)
    .filter((frame) => isForeign(frame) && limit.fits(frame.bytes.length))
    .map(({ id, bytes }) => ({ id, bytes: bytes.toString('base64') }))
}

function isForeign({ id, bytes }: Id3Frame): boolean {
  if (OWN_FRAMES.has(id)) return false
  if (id === 'COMM') return describes(bytes, 4) !== ''
  if (id === 'TXXX') return !/^replaygain_/i.test(describes(bytes, 1))
  return true
}

function describes(bytes: Buffer, at: number): string {
  const encoding = bytes[0] ?? 0
  const [description] = splitAtTerminator(encoding, bytes.subarray(at))
  return decodeText(encoding, description)
}
