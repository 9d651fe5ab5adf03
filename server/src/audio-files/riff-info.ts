import { splitAtZeros } from './legacy-texts.ts'

const CHUNK_HEAD_BYTES = 8

/** Returns the items of a LIST INFO, the chunks within the content of a `LIST` chunk. */
export function infoItems(list: Buffer): { id: string; text: Buffer }[] {
  const items: { id: string; text: Buffer }[] = []
  if (list.toString('latin1', 0, 4) !== 'INFO') return items
  for (let at = 4; at + CHUNK_HEAD_BYTES <= list.length; ) {
    const length = list.readUInt32LE(at + 4)
    const content = list.subarray(at + CHUNK_HEAD_BYTES, at + CHUNK_HEAD_BYTES + length)
    items.push({ id: list.toString('latin1', at, at + 4), text: splitAtZeros(content)[0] ?? content })
    at += CHUNK_HEAD_BYTES + length + (length & 1)
  }
  return items
}
