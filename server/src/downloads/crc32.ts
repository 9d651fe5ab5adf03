import { crc32 } from 'node:zlib'

/** The polynomial of CRC-32 (ISO 3309), bits reversed: the bit of value 2^31 is the factor of x^0. */
const POLYNOMIAL = 0xedb88320
const X_TO_THE_0 = 0x80000000
const X_TO_THE_1 = 0x40000000

/** x^(2^n) modulo the polynomial, for n from 0 to 31. */
const powers = squares()

/** Returns the CRC-32 of these bytes. When `before` is the CRC-32 of preceding bytes, it covers those too. */
export function crc32Of(bytes: Uint8Array, before = 0): number {
  return crc32(bytes, before)
}

/**
 * Returns the CRC-32 of two concatenated byte strings, from the checksum of each and the length of the second. To
 * append n bytes is to multiply by x^(8n) modulo the polynomial. Source: Mark Adler's crc32_combine in zlib 1.2.12
 * (crc32.c, `multmodp` and `x2nmodp`). Takes time in proportion to the logarithm of the length.
 */
export function combineCrc32(first: number, second: number, lengthOfSecond: number): number {
  return (multiply(powerOfX(lengthOfSecond), first) ^ second) >>> 0
}

/** Returns x^(8 × bytes) modulo the polynomial. Divides instead of shifting because lengths can exceed 32 bits. */
function powerOfX(bytes: number): number {
  let product = X_TO_THE_0
  let left = bytes
  for (let n = 3; left > 0; n++) {
    // x^(2^32) is x again, so the table repeats after 32 entries.
    if (left % 2 === 1) product = multiply(powers[n % 32]!, product)
    left = Math.floor(left / 2)
  }
  return product
}

function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = X_TO_THE_0; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1
  }
  return product >>> 0
}

function squares(): number[] {
  const table = [X_TO_THE_1]
  for (let n = 1; n < 32; n++) table.push(multiply(table[n - 1]!, table[n - 1]!))
  return table
}
