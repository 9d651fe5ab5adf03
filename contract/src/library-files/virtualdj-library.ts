import { type EntryValues, makeEntry } from './library-entry.ts'
import type { LibraryEntry, LibraryFile } from './library-file.ts'
import { type StartTag, startTags } from './start-tags.ts'

type VirtualDjSong = EntryValues & { path: string | undefined; scannedBpm?: number | undefined }

/** `database.xml`. Fields: virtualdj.com/wiki, "VDJ_database". */
export async function* readVirtualDj(file: LibraryFile): AsyncGenerator<LibraryEntry> {
  let song: VirtualDjSong | undefined
  for await (const tag of startTags(file, 'VirtualDJ_Database', ['Song', 'Tags', 'Infos', 'Scan'])) {
    if (tag.name !== 'Song') {
      if (song) addValues(song, tag)
      continue
    }
    const entry = song && entryOf(song)
    if (entry) yield entry
    song = { path: tag.attributes.FilePath, bytes: tag.attributes.FileSize }
  }
  const last = song && entryOf(song)
  if (last) yield last
}

/** VirtualDJ measured the tempo of the scan; the one of the tags is someone else's. */
const entryOf = (song: VirtualDjSong) => makeEntry(song.path, { ...song, bpm: song.scannedBpm ?? song.bpm })

function addValues(song: VirtualDjSong, { name, attributes }: StartTag): void {
  if (name === 'Infos') song.duration = attributes.SongLength
  if (name === 'Scan') song.scannedBpm = bpmOf(attributes.Bpm)
  if (name !== 'Tags') return
  song.artist = attributes.Author
  song.title = attributes.Title
  song.version = attributes.Remix
  song.remixer = attributes.Remixer
  song.album = attributes.Album
  song.bpm = bpmOf(attributes.Bpm)
}

/** The database has the seconds from one beat to the next: 0.5 is 120 BPM. */
function bpmOf(secondsPerBeat: string | undefined): number | undefined {
  const seconds = Number(secondsPerBeat)
  return seconds > 0 ? 60 / seconds : undefined
}

/** A list of the folder `MyLists`. Here, the tempo is in BPM. */
export async function* readVirtualDjList(file: LibraryFile): AsyncGenerator<LibraryEntry> {
  for await (const { attributes: song } of startTags(file, 'VirtualFolder', ['song'])) {
    const { path, size, artist, title, remix, songlength, bpm } = song
    const entry = makeEntry(path, { artist, title, version: remix, duration: songlength, bpm, bytes: size })
    if (entry) yield entry
  }
}
