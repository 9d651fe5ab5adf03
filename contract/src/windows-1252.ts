/**
 * Windows-1252, which contains Latin-1. `TextDecoder` of some versions of Node.js decodes it as Latin-1, without the
 * characters of 0x80 to 0x9F.
 */

/** 0x80 to 0x9F. Bytes that the encoding does not define are control characters, as in the WHATWG Encoding Standard. */
const EXTRAS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const FIRST_EXTRA = 0x80

const CHUNK = 8192

export function decodeWindows1252(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return text.replace(/[\u0080-\u009f]/g, (character) => EXTRAS.charAt(character.charCodeAt(0) - FIRST_EXTRA))
}

/** Undefined if a character of the text is not in Windows-1252. */
export function encodeWindows1252(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const extra = code < FIRST_EXTRA ? -1 : EXTRAS.indexOf(text.charAt(at))
    if (extra < 0 && code > 0xff) return undefined
    bytes[at] = extra < 0 ? code : FIRST_EXTRA + extra
  }
  return bytes
}
