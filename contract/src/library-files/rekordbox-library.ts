import { makeEntry, pathOfUrl } from './library-entry.ts'
import type { LibraryEntry, LibraryFile } from './library-file.ts'
import { startTags } from './start-tags.ts'

/** `rekordbox.xml`. Fields: pyrekordbox's documentation of Pioneer's xml_format_list.pdf. */
export async function* readRekordbox(file: LibraryFile): AsyncGenerator<LibraryEntry> {
  for await (const { attributes: track } of startTags(file, 'DJ_PLAYLISTS', ['TRACK'])) {
    // The songs of playlists are `TRACK` as well, with a key instead of a location.
    if (track.Location === undefined) continue
    const entry = makeEntry(pathOfUrl(track.Location), {
      artist: track.Artist,
      title: track.Name,
      version: track.Mix,
      remixer: track.Remixer,
      album: track.Album,
      duration: track.TotalTime,
      bpm: track.AverageBpm,
      bytes: track.Size,
    })
    if (entry) yield entry
  }
}
