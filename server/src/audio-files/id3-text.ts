/**
 * Text in ID3v2 frames. Encodings by their first byte: 0 ISO-8859-1, 1 UTF-16 with BOM, 2 UTF-16BE, 3 UTF-8;
 * ID3v2.3 knows the first two only. Sources: id3.org, id3v2.3.0 section 3.3 and id3v2.4.0-structure section 4.
 */

/** Strings of one frame, all in the encoding that the frame declares. */
export type EncodedStrings = { encoding: Buffer; parts: Buffer[]; terminator: Buffer }

const UTF16_BOM = Buffer.from([0xff, 0xfe])

/** Encodes the strings of an ID3v2.3 frame: ISO-8859-1 when all of them fit, UTF-16 with a BOM otherwise. */
export function encodeStrings(strings: string[]): EncodedStrings {
  if (strings.every(isLatin)) {
    return {
      encoding: Buffer.from([0]),
      parts: strings.map((text) => Buffer.from(text, 'latin1')),
      terminator: Buffer.alloc(1),
    }
  }
  return {
    encoding: Buffer.from([1]),
    parts: strings.map((text) => Buffer.concat([UTF16_BOM, Buffer.from(text, 'utf16le')])),
    terminator: Buffer.alloc(2),
  }
}

/** Decodes bytes in an ID3v2 encoding; an unknown encoding is read as ISO-8859-1. */
export function decodeText(encoding: number, bytes: Buffer): string {
  if (encoding === 3) return bytes.toString('utf8')
  if (encoding === 2) return bigEndian(bytes)
  if (encoding !== 1) return bytes.toString('latin1')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return bigEndian(bytes.subarray(2))
  const start = bytes[0] === 0xff && bytes[1] === 0xfe ? 2 : 0
  return bytes.toString('utf16le', start)
}

/** Splits off the string that ends at the first terminator. Without one, the string is all of it. */
function splitAtTerminator(encoding: number, bytes: Buffer): [string: Buffer, rest: Buffer] {
  const width = encoding === 1 || encoding === 2 ? 2 : 1
  for (let at = 0; at + width <= bytes.length; at += width) {
    if (bytes[at] === 0 && (width === 1 || bytes[at + 1] === 0)) {
      return [bytes.subarray(0, at), bytes.subarray(at + width)]
    }
  }
  return [bytes, bytes.subarray(bytes.length)]
}

/** Splits a description from the text after it, as in comments. */
export function splitDescribed(encoding: number, bytes: Buffer): { description: Buffer; text: Buffer } {
  const [description, text] = splitAtTerminator(encoding, bytes)
  return { description, text: splitAtTerminator(encoding, text)[0] }
}

/** Splits the values of a text that ID3v2.4 separates by zeros, without empty ones at the end. */
export function decodeValues(encoding: number, bytes: Buffer): string[] {
  const values: string[] = []
  let rest = bytes
  while (rest.length > 0) {
    const [value, after] = splitAtTerminator(encoding, rest)
    values.push(decodeText(encoding, value))
    rest = after
  }
  return values.filter((value) => value !== '')
}

function isLatin(text: string): boolean {
  return /^[\n\r\t\x20-\x7e\xa0-\xff]*$/.test(text)
}

function bigEndian(bytes: Buffer): string {
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1))
  return even.swap16().toString('utf16le')
}
