import { decodeWindows1252 } from '../windows-1252.ts'
import { makeEntry, pathOfUrl } from './library-entry.ts'
import type { LibraryEntry, LibraryFile } from './library-file.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** M3U and M3U8, with one line of text in front of each path: `#EXTINF:<seconds>,Artist - Title`. */
export async function* readM3u(file: LibraryFile): AsyncGenerator<LibraryEntry> {
  let info = ''
  for (const line of decode(await file.read(0, file.size)).split(/\r\n|\r|\n/)) {
    if (line.startsWith('#EXTINF:')) info = line.slice('#EXTINF:'.length)
    if (line.startsWith('#') || line.trim() === '') continue
    const entry = makeEntry(pathOfUrl(line), valuesOf(info))
    if (entry) yield entry
    info = ''
  }
}

/** The name of a playlist does not say how it is encoded. Windows programs write M3U in the encoding of the system. */
function decode(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    return decodeWindows1252(bytes)
  }
}

function valuesOf(info: string): { artist?: string; title?: string; duration?: number } {
  const comma = info.indexOf(',')
  const text = comma < 0 ? '' : info.slice(comma + 1).trim()
  const dash = text.indexOf(' - ')
  const names = dash < 0 ? { title: text } : { artist: text.slice(0, dash), title: text.slice(dash + 3) }
  return { ...names, duration: Number.parseFloat(info) }
}
