import { makeEntry } from './library-entry.ts'
import { chunksOf, type LibraryEntry, type LibraryFile, LibraryFileError } from './library-file.ts'

type Field = { tag: string; data: Uint8Array }

const HEADER_BYTES = 8
/** Of one song; the fields of a song have a few kilobytes. */
const MAX_FIELD_BYTES = 1024 * 1024

/**
 * `database V2`, or a crate: fields of a four-letter tag, a length and data, with texts in UTF-16BE. A crate only has
 * the paths of its songs. Fields: Mixxx, seratofeature.cpp.
 */
export async function* readSerato(file: LibraryFile): AsyncGenerator<LibraryEntry> {
  for await (const { tag, data } of fieldsOf(file)) {
    if (tag !== 'otrk') continue
    const { fields: song, rest } = splitFields(data)
    if (rest.length > 0) throw new LibraryFileError('damaged')
    const textOf = (wanted: string) => {
      const field = song.find((each) => each.tag === wanted)
      return field && utf16.decode(field.data)
    }
    const entry = makeEntry(textOf('pfil') ?? textOf('ptrk'), {
      artist: textOf('tart'),
      title: textOf('tsng'),
      remixer: textOf('trmx'),
      album: textOf('talb'),
      duration: secondsOf(textOf('tlen')),
      bpm: textOf('tbpm'),
    })
    if (entry) yield entry
  }
}

const utf16 = new TextDecoder('utf-16be')
const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes)

async function* fieldsOf(file: LibraryFile): AsyncGenerator<Field> {
  let bytes: Uint8Array = new Uint8Array()
  for await (const chunk of chunksOf(file)) {
    const joined = new Uint8Array(bytes.length + chunk.length)
    joined.set(bytes)
    joined.set(chunk, bytes.length)
    const { fields, rest, isDamaged } = splitFields(joined)
    yield* fields
    if (isDamaged) throw new LibraryFileError('damaged')
    bytes = rest
  }
  if (bytes.length > 0) throw new LibraryFileError('incomplete')
}

/** `rest` is a field that does not end in these bytes. */
function splitFields(bytes: Uint8Array): { fields: Field[]; rest: Uint8Array; isDamaged: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields: Field[] = []
  let at = 0
  let isDamaged = false
  while (at + HEADER_BYTES <= bytes.length) {
    const length = view.getUint32(at + 4)
    const end = at + HEADER_BYTES + length
    isDamaged = length > MAX_FIELD_BYTES
    if (isDamaged || end > bytes.length) break
    fields.push({ tag: latin1(bytes.subarray(at, at + 4)), data: bytes.subarray(at + HEADER_BYTES, end) })
    at = end
  }
  return { fields, rest: bytes.subarray(at), isDamaged }
}

/** '03:25.31', '1:02:03', or seconds. */
function secondsOf(length: string | undefined): number | undefined {
  return length?.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)
}
