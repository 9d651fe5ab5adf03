import { buffer } from 'node:stream/consumers'
import type { Entry, fromBuffer, ZipFile } from 'yauzl'
import { loadOnFirstUse } from '../platform/on-first-use.ts'

const loadYauzl = loadOnFirstUse<{ fromBuffer: typeof fromBuffer }>('yauzl')

/** The maximum unpacked size of a workbook, which is a zip of XML files, whatever its headers say. */
const MAX_UNPACKED_BYTES = 40_000_000
const MAX_ENTRIES = 500

/** Explains in a sentence why a sheet cannot be read. */
export class SheetError extends Error {}

const damagedSheetError = (cause: unknown) =>
  new SheetError('The file is not an XLSX workbook, or is damaged. Save it again as XLSX or CSV.', { cause })
const sheetTooLargeError = (limits: SheetLimits) =>
  new SheetError(
    `The sheet is too large. It can have ${limits.rows.toLocaleString('en')} rows and ${limits.columns} columns.`,
  )

export type SheetLimits = { rows: number; columns: number }

/**
 * Returns the rows of the first sheet. The archive is unpacked here, within limits, and passed to the parser
 * uncompressed, so that the parser never sees more than was measured. Throws a `SheetError`.
 */
export async function parseXlsx(bytes: Buffer, limits: SheetLimits): Promise<unknown[][]> {
  const entries = await unpack(bytes, limits)
  for (const [name, xml] of entries) if (name.includes('worksheets/')) rejectFarCells(xml, limits)
  const { readSheet } = await import('read-excel-file/node')
  try {
    return await readSheet(await pack(entries), 1)
  } catch (error) {
    throw damagedSheetError(error)
  }
}

/** Returns the XML files of the archive by name. */
async function unpack(bytes: Buffer, limits: SheetLimits): Promise<Map<string, Buffer>> {
  const zip = await open(bytes)
  const entries = new Map<string, Buffer>()
  let remainingBytes = MAX_UNPACKED_BYTES
  if (zip.entryCount > MAX_ENTRIES) throw sheetTooLargeError(limits)
  await new Promise<void>((resolve, reject) => {
    zip.on('error', (error) => reject(damagedSheetError(error)))
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      if (!/\.(?:xml|rels)$/.test(entry.fileName)) return zip.readEntry()
      readEntry(zip, entry, remainingBytes).then((xml) => {
        if (xml === undefined) return reject(sheetTooLargeError(limits))
        remainingBytes -= xml.length
        entries.set(entry.fileName, xml)
        zip.readEntry()
      }, reject)
    })
    zip.readEntry()
  })
  return entries
}

const open = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    loadYauzl().fromBuffer(bytes, { lazyEntries: true }, (error, zip) =>
      zip ? resolve(zip) : reject(damagedSheetError(error)),
    )
  })

/** Returns undefined for an entry that exceeds the remaining bytes, as soon as that is known. */
async function readEntry(zip: ZipFile, entry: Entry, remainingBytes: number): Promise<Buffer | undefined> {
  if (entry.uncompressedSize > remainingBytes) return undefined
  const chunks: Buffer[] = []
  let length = 0
  try {
    const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
      zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(error)))
    })
    for await (const chunk of stream) {
      length += chunk.length
      if (length > remainingBytes) return undefined
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    throw damagedSheetError(error)
  }
  return Buffer.concat(chunks)
}

async function pack(entries: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const { ZipArchive } = await import('archiver')
  const archive = new ZipArchive({ store: true })
  for (const [name, xml] of entries) archive.append(xml, { name })
  const packed = buffer(archive)
  await archive.finalize()
  return packed
}

/** The parser creates every row and column up to the last cell: one cell in the far corner would create billions. */
function rejectFarCells(xml: Buffer, limits: SheetLimits): void {
  for (const [, columnLetters, row] of xml
    .toString('latin1')
    .matchAll(/<(?:\w+:)?(?:c|row)\b[^>]*?\br\s*=\s*["']([A-Za-z]*)(\d+)["']/g)) {
    const column = [...(columnLetters ?? '').toUpperCase()].reduce(
      (sum, character) => sum * 26 + character.charCodeAt(0) - 64,
      0,
    )
    if (Number(row) > limits.rows || column > limits.columns) throw sheetTooLargeError(limits)
  }
}
