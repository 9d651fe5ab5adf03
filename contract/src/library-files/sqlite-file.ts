import { type LibraryFile, LibraryFileError } from './library-file.ts'
import { readRecord, readVarint, type SqliteValue } from './sqlite-record.ts'

/**
 * Reads the rows of tables from an SQLite database, without indexes and SQL. Only the pages of a table are read, and the
 * file is never written. Source: sqlite.org/fileformat2.html. docs/decisions/0056-member-library.md says why this is
 * ours.
 */

const INTERIOR_PAGE = 5
const LEAF_PAGE = 13
const FILE_HEADER_BYTES = 100
const MAX_ROW_BYTES = 16 * 1024 * 1024
/** Pages are read in blocks, because each part of a file that a browser reads takes about as long as a block. */
const BLOCK_BYTES = 256 * 1024
const MAX_BLOCKS = 16

const ENCODINGS: Record<number, string> = { 2: 'utf-16le', 3: 'utf-16be' }

type Page = { bytes: Uint8Array; view: DataView }

export class SqliteFile {
  readonly #file: LibraryFile
  readonly #pageBytes: number
  /** Without the bytes at the end of each page that extensions reserve. */
  readonly #usableBytes: number
  readonly #decodeText: (bytes: Uint8Array) => string
  readonly #blocks = new Map<number, Promise<Uint8Array>>()

  private constructor(file: LibraryFile, header: DataView) {
    this.#file = file
    const size = header.getUint16(16)
    this.#pageBytes = size === 1 ? 65_536 : size
    this.#usableBytes = this.#pageBytes - header.getUint8(20)
    if (this.#pageBytes < 512 || BLOCK_BYTES % this.#pageBytes !== 0 || this.#usableBytes < 480)
      throw new LibraryFileError('damaged')
    const decoder = new TextDecoder(ENCODINGS[header.getUint32(56)] ?? 'utf-8')
    this.#decodeText = (bytes) => decoder.decode(bytes)
  }

  static async open(file: LibraryFile): Promise<SqliteFile> {
    if (file.size < FILE_HEADER_BYTES) throw new LibraryFileError('incomplete')
    return new SqliteFile(file, viewOf(await file.read(0, FILE_HEADER_BYTES)))
  }

  /** Where a table begins, and the statement that created it. */
  async findTable(name: string): Promise<{ rootPage: number; sql: string } | undefined> {
    const [TYPE, NAME, ROOT_PAGE, SQL] = [0, 1, 3, 4]
    for await (const [type, table, rootPage, sql] of this.readRows(1, [TYPE, NAME, ROOT_PAGE, SQL])) {
      const isTable = type === 'table' && String(table).toLowerCase() === name.toLowerCase()
      if (isTable && typeof rootPage === 'number' && typeof sql === 'string') return { rootPage, sql }
    }
    return undefined
  }

  /** All rows of a table, with the values at these positions of its columns. */
  async *readRows(rootPage: number, positions: readonly number[]): AsyncGenerator<(SqliteValue | undefined)[]> {
    for await (const payload of this.#payloads(rootPage, new Set())) {
      yield orDamaged(() => readRecord(payload, positions, this.#decodeText))
    }
  }

  async *#payloads(number: number, visited: Set<number>): AsyncGenerator<Uint8Array> {
    // A page that is in a tree twice would repeat its rows, and might contain itself.
    if (visited.has(number)) throw new LibraryFileError('damaged')
    visited.add(number)
    const page = await this.#readPage(number)
    const start = number === 1 ? FILE_HEADER_BYTES : 0
    const type = page.view.getUint8(start)
    if (type !== INTERIOR_PAGE && type !== LEAF_PAGE) throw new LibraryFileError('damaged')
    const cells = orDamaged(() => cellsOf(page, start, type))
    if (type === LEAF_PAGE) {
      for (const cell of cells) yield await this.#readPayload(page, cell)
      return
    }
    const children = orDamaged(() => [
      ...cells.map((cell) => page.view.getUint32(cell)),
      page.view.getUint32(start + 8),
    ])
    for (const child of children) yield* this.#payloads(child, visited)
  }

  /** The payload of a row is in its page as far as it fits, and then in a chain of overflow pages. */
  async #readPayload({ bytes, view }: Page, cell: number): Promise<Uint8Array> {
    const { size, start } = orDamaged(() => {
      const { value, next } = readVarint(view, cell)
      return { size: value, start: readVarint(view, next).next }
    })
    const localSize = this.#localSize(size)
    if (size > MAX_ROW_BYTES || start + localSize > bytes.length) throw new LibraryFileError('damaged')
    if (localSize === size) return bytes.subarray(start, start + size)
    const payload = new Uint8Array(size)
    payload.set(bytes.subarray(start, start + localSize))
    let next = orDamaged(() => view.getUint32(start + localSize))
    for (let at = localSize; at < size; ) {
      const page = await this.#readPage(next)
      const part = page.bytes.subarray(4, Math.min(this.#usableBytes, 4 + size - at))
      payload.set(part, at)
      at += part.length
      next = page.view.getUint32(0)
    }
    return payload
  }

  #localSize(size: number): number {
    const usable = this.#usableBytes
    const max = usable - 35
    if (size <= max) return size
    const min = Math.floor(((usable - 12) * 32) / 255) - 23
    const local = min + ((size - min) % (usable - 4))
    return local <= max ? local : min
  }

  async #readPage(number: number): Promise<Page> {
    if (number < 1) throw new LibraryFileError('damaged')
    const start = (number - 1) * this.#pageBytes
    if (start + this.#pageBytes > this.#file.size) throw new LibraryFileError('incomplete')
    const block = await this.#readBlock(Math.floor(start / BLOCK_BYTES))
    const bytes = block.subarray(start % BLOCK_BYTES, (start % BLOCK_BYTES) + this.#pageBytes)
    return { bytes, view: viewOf(bytes) }
  }

  #readBlock(number: number): Promise<Uint8Array> {
    const start = number * BLOCK_BYTES
    const block = this.#blocks.get(number) ?? this.#file.read(start, Math.min(this.#file.size, start + BLOCK_BYTES))
    // The block that was used last comes last, so that the first one is the oldest.
    this.#blocks.delete(number)
    this.#blocks.set(number, block)
    const [oldest] = this.#blocks.keys()
    if (this.#blocks.size > MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest)
    return block
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Where the cells of a page begin. */
function cellsOf({ view }: Page, start: number, type: number): number[] {
  const pointers = start + (type === INTERIOR_PAGE ? 12 : 8)
  return Array.from({ length: view.getUint16(start + 3) }, (_, n) => view.getUint16(pointers + n * 2))
}

/** A number that points outside of a page is the only error that reading it can have. */
function orDamaged<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof RangeError ? new LibraryFileError('damaged') : error
  }
}
