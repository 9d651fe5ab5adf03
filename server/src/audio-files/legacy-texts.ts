import { readRawFrames } from './id3-frames.ts'

/** Returns the texts of an ID3v2 tag whose encoding is given as Latin-1. */
export function legacyTextsOf(tag: Buffer): Buffer[] {
  return readRawFrames(tag)
    .filter(({ id, bytes }) => isTextFrame(id) && bytes[0] === 0)
    .flatMap(({ id, bytes }) => splitAtZeros(bytes.subarray(id.startsWith('T') ? 1 : 4)))
}

/** Texts, comments and lyrics. */
const isTextFrame = (id: string): boolean => id.startsWith('T') || /^(COMM?|USLT|ULT)$/.test(id)

export function splitAtZeros(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
    parts.push(bytes.subarray(start, end))
    start = end + 1
  }
  return [...parts, bytes.subarray(start)]
}
