/** Table of CRC-16 with polynomial 0x8005, most significant bit first: MPEG frames (ISO 11172-3, 2.4.3.1). */
const FORWARD = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x8005 : crc << 1
  return crc
})

/** The same polynomial reflected (CRC-16/ARC), as LAME's tag uses it. */
const REFLECTED = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1
  return crc
})

export function crc16(bytes: Uint8Array, start = 0): number {
  let crc = start
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ FORWARD[(crc >>> 8) ^ byte]!
  return crc
}

export function crc16Reflected(bytes: Uint8Array, start = 0): number {
  let crc = start
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ REFLECTED[(crc ^ bytes[i]!) & 255]!
  return crc
}

/** Checksum of a FLAC frame's header (RFC 9639, 9.1.8): polynomial x⁸ + x² + x + 1, from 0. */
export function crc8(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 255 : crc << 1
  }
  return crc
}
