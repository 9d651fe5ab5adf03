/** The fields of Serato's crates and database: four letters, a length and data. */
export type Field = { tag: string; value: string | Buffer | Field[] }

const utf16 = new TextDecoder('utf-16be', { fatal: true })

/** Fields that begin with 'o' contain others; those that begin with 't' or 'p', and the version, are texts. */
export function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32BE(at + 4)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (data.length !== length) throw new Error(`The field ${tag} ends after ${data.length} of ${length} bytes.`)
    const isText = tag === 'vrsn' || tag.startsWith('t') || tag.startsWith('p')
    fields.push({ tag, value: tag.startsWith('o') ? readFields(data) : isText ? utf16.decode(data) : data })
    at += 8 + length
  }
  return fields
}

function field(tag: string, value: string | Buffer): Buffer {
  const data = typeof value === 'string' ? Buffer.from(value, 'utf16le').swap16() : value
  const head = Buffer.alloc(8)
  head.write(tag, 'latin1')
  head.writeUInt32BE(data.length, 4)
  return Buffer.concat([head, data])
}

/** A `database V2`, in which Mixxx looks up the songs of crates. Members get none: it would replace their library. */
export const databaseV2 = (tracks: readonly Record<string, string>[]): Buffer =>
  Buffer.concat([
    field('vrsn', '2.0/Serato Scratch LIVE Database'),
    ...tracks.map((track) =>
      field('otrk', Buffer.concat(Object.entries(track).map(([tag, value]) => field(tag, value)))),
    ),
  ])
