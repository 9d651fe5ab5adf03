import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const BLOCK_BYTES = 1 << 20

/** An original audio file as it was uploaded or imported, read-only. */
export type OriginalFile = {
  size: number
  /** Returns at most `length` bytes from `at`; fewer or none at the end of the file. */
  read(at: number, length: number): Promise<Buffer>
  /** Returns the CRC-32 of the bytes [start, end). Throws when the file ends before `end`. */
  checksum(start: number, end: number): Promise<number>
}

/** Opens the file, passes it to `use` and closes it. */
export async function withOriginal<T>(path: string, use: (file: OriginalFile) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    return await use({
      size,
      read: (at, length) => readAt(handle, at, Math.min(length, size - at)),
      checksum: (start, end) => checksum(handle, start, end),
    })
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  if (at < 0 || length <= 0) return Buffer.alloc(0)
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

async function checksum(handle: FileHandle, start: number, end: number): Promise<number> {
  const block = Buffer.allocUnsafe(Math.max(1, Math.min(BLOCK_BYTES, end - start)))
  let crc = 0
  for (let at = start; at < end; ) {
    const { bytesRead } = await handle.read(block, 0, Math.min(block.length, end - at), at)
    if (bytesRead === 0) throw new Error(`Unexpected end of file at byte ${at}, expected ${end}`)
    crc = crc32(block.subarray(0, bytesRead), crc)
    at += bytesRead
  }
  return crc
}
