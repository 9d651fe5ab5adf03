import { type Entry, fromBuffer, type ZipFile } from 'yauzl'

/** Returns the files that an independent reader finds in a zip; it checks every CRC. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (opened ? resolve(opened) : reject(error))),
  )
  const found = new Map<string, Buffer>()
  return new Promise((resolve, reject) => {
    zip.on('error', reject).on('end', () => resolve(found))
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (!stream) return reject(error)
        const pieces: Buffer[] = []
        for await (const piece of stream) pieces.push(piece as Buffer)
        found.set(entry.fileName, Buffer.concat(pieces))
        zip.readEntry()
      }),
    )
    zip.readEntry()
  })
}
