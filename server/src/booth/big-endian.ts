/** Numbers as Serato's files contain them, most significant byte first. */

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatBE(value)
  return bytes
}
