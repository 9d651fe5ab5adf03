import fs from 'node:fs'

const WINDOW_BYTES = 1 << 20

/**
 * Random access to a file through a window of one megabyte, so that reading through a long file is fast and uses little
 * memory.
 */
export class FileWindow {
  readonly size: number
  readonly #fd: number
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES)
  #start = 0
  #length = 0

  constructor(fd: number) {
    this.#fd = fd
    this.size = fs.fstatSync(fd).size
  }

  /**
   * Returns `length` bytes (a megabyte at most) at `position`, or undefined beyond either end. Valid until the next
   * call.
   */
  bytes(position: number, length: number): Buffer | undefined {
    if (position < 0 || position + length > this.size) return undefined
    if (position < this.#start || position + length > this.#start + this.#length) this.#load(position)
    const from = position - this.#start
    return from + length <= this.#length ? this.#window.subarray(from, from + length) : undefined
  }

  /** Returns the same as `bytes` in a new buffer, which stays valid. */
  copy(position: number, length: number): Buffer | undefined {
    const bytes = this.bytes(position, length)
    return bytes && Buffer.from(bytes)
  }

  /** Returns up to `length` bytes, fewer at the end of the file. */
  bytesUpTo(position: number, length: number): Buffer {
    return this.bytes(position, Math.max(0, Math.min(length, this.size - position))) ?? Buffer.alloc(0)
  }

  text(position: number, length: number): string {
    return this.bytes(position, length)?.toString('latin1') ?? ''
  }

  /** Position of the next byte with this value in [from, to), or −1. */
  indexOf(value: number, from: number, to: number): number {
    for (let position = from; position < to; ) {
      const block = this.bytesUpTo(position, Math.min(65_536, to - position))
      if (block.length === 0) return -1
      const found = block.indexOf(value)
      if (found >= 0) return position + found
      position += block.length
    }
    return -1
  }

  isZero(from: number, to: number): boolean {
    for (let position = from; position < to; ) {
      const block = this.bytesUpTo(position, Math.min(65_536, to - position))
      if (block.length === 0) return true
      for (const byte of block) if (byte !== 0) return false
      position += block.length
    }
    return true
  }

  /** Position of the last non-zero byte at or after `from`; `from` − 1 when all are zero. */
  lastNonZero(from: number): number {
    for (let end = this.size; end > from; ) {
      const start = Math.max(from, end - 65_536)
      const block = this.bytesUpTo(start, end - start)
      for (let i = block.length - 1; i >= 0; i--) if (block[i] !== 0) return start + i
      end = start
    }
    return from - 1
  }

  #load(position: number): void {
    this.#start = position
    this.#length = fs.readSync(this.#fd, this.#window, 0, Math.min(WINDOW_BYTES, this.size - position), position)
  }
}
