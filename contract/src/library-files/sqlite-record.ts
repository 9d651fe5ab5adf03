/** Values as SQLite stores them. Blobs are not needed. Source: sqlite.org/fileformat2.html, "Record Format". */
export type SqliteValue = string | number | null

type DecodeText = (bytes: Uint8Array) => string

/** A 64-bit integer of 1 to 9 bytes. Beyond 2^53 it is imprecise; the sizes and numbers here are smaller. */
export function readVarint(bytes: DataView, at: number): { value: number; next: number } {
  let value = 0
  for (let n = 0; n < 8; n++) {
    const byte = bytes.getUint8(at + n)
    value = value * 0x80 + (byte & 0x7f)
    if (byte < 0x80) return { value, next: at + n + 1 }
  }
  return { value: value * 0x100 + bytes.getUint8(at + 8), next: at + 9 }
}

/** The values at these positions. A row that is older than a column does not have it. */
export function readRecord(
  payload: Uint8Array,
  positions: readonly number[],
  decodeText: DecodeText,
): (SqliteValue | undefined)[] {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  const header = readVarint(view, 0)
  const types: number[] = []
  for (let at = header.next; at < header.value; ) {
    const { value, next } = readVarint(view, at)
    types.push(value)
    at = next
  }
  const starts: number[] = []
  types.reduce((start, type, n) => {
    starts[n] = start
    return start + sizeOf(type)
  }, header.value)
  return positions.map((position) => {
    const [type, start] = [types[position], starts[position]]
    return type === undefined || start === undefined ? undefined : readValue(view, { type, start, decodeText })
  })
}

const INTEGER_SIZES = [0, 1, 2, 3, 4, 6, 8]
const FLOAT = 7
const ZERO = 8
const ONE = 9
const FIRST_BLOB = 12

const sizeOf = (type: number): number =>
  type >= FIRST_BLOB ? Math.floor((type - FIRST_BLOB) / 2) : type === FLOAT ? 8 : (INTEGER_SIZES[type] ?? 0)

type StoredValue = { type: number; start: number; decodeText: DecodeText }

function readValue(view: DataView, { type, start, decodeText }: StoredValue): SqliteValue {
  if (type === 0) return null
  if (type === ZERO || type === ONE) return type - ZERO
  if (type === FLOAT) return view.getFloat64(start)
  if (type < FLOAT) return readInteger(view, start, sizeOf(type))
  if (start + sizeOf(type) > view.byteLength) throw new RangeError('The text is longer than its row')
  const isText = type % 2 === 1
  return isText ? decodeText(new Uint8Array(view.buffer, view.byteOffset + start, sizeOf(type))) : null
}

function readInteger(view: DataView, start: number, size: number): number {
  let value = view.getInt8(start)
  for (let n = 1; n < size; n++) value = value * 0x100 + view.getUint8(start + n)
  return value
}
