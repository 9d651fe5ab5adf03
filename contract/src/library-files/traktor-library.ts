import { type EntryValues, makeEntry } from './library-entry.ts'
import type { LibraryEntry, LibraryFile } from './library-file.ts'
import { type StartTag, startTags } from './start-tags.ts'

type TraktorEntry = EntryValues & { path?: string }

/** `collection.nml`. Fields: the fixtures of wolkenarchitekt/traktor-nml-utils. */
export async function* readTraktor(file: LibraryFile): AsyncGenerator<LibraryEntry> {
  let current: TraktorEntry | undefined
  const names = ['ENTRY', 'LOCATION', 'ALBUM', 'INFO', 'TEMPO', 'SETS', 'PLAYLISTS']
  for await (const tag of startTags(file, 'NML', names)) {
    const { name, attributes } = tag
    // What follows the collection has an `ENTRY` for each song of a playlist.
    const isAfterCollection = name === 'SETS' || name === 'PLAYLISTS'
    if (name === 'ENTRY' || isAfterCollection) {
      const entry = current && makeEntry(current.path, current)
      if (entry) yield entry
      if (isAfterCollection) return
      current = { artist: attributes.ARTIST, title: attributes.TITLE }
    } else if (current) addValues(current, tag)
  }
  const last = current && makeEntry(current.path, current)
  if (last) yield last
}

function addValues(entry: TraktorEntry, { name, attributes }: StartTag): void {
  if (name === 'LOCATION') entry.path = pathOf(attributes)
  if (name === 'ALBUM') entry.album = attributes.TITLE
  if (name === 'TEMPO') entry.bpm = attributes.BPM
  if (name !== 'INFO') return
  entry.version = attributes.MIX
  entry.remixer = attributes.REMIXER
  // FILESIZE counts in units of 1024 bytes, so the size is unknown.
  entry.duration = attributes.PLAYTIME_FLOAT ?? attributes.PLAYTIME
}

/** `DIR="/:Users/:dj/:Music/:"`. */
function pathOf({ VOLUME = '', DIR = '', FILE = '' }: StartTag['attributes']): string {
  // Without a folder, the name alone: it may say that the song is a stream.
  return DIR === '' ? FILE : `/${VOLUME}${DIR.replaceAll('/:', '/')}${FILE}`
}
