import type { Software, System } from '@dubplate/contract'
import {
  absolutePlaylistName,
  libraryFileName,
  relativePlaylistName,
  SOFTWARE_NAMES,
} from '@dubplate/contract/schemas/dj-software'
import { absolutePath } from '@dubplate/contract/schemas/file-paths'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

/** Examples of files and folders, as they are in a kit and on a member's computer. */

const HOME: Record<System, string> = { windows: 'C:\\Users\\you', macos: '/Users/you', linux: '/home/you' }

/** A folder in the home folder of a member, with the separators of the system. */
const inHome = (system: System, folder: string) => absolutePath({ system, music_folder: HOME[system] }, folder)

/** VirtualDJ's own folder: `~/Library` on macOS, and what Windows calls local application data. */
const VIRTUALDJ_FOLDER: Partial<Record<System, string>> = {
  windows: 'AppData/Local/VirtualDJ',
  macos: 'Library/Application Support/VirtualDJ',
}

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1)

export type Places = {
  zip: string
  /** The name of the playlist. */
  list: string
  /** The library file, without its folders. */
  library: string
  /** The library file as a path in the zip. */
  libraryPath: string
  /** The playlists with paths from the music folder and with whole paths. */
  relative: string
  playlist: string
  music: string
  /** Serato's folder of crates. */
  crates: string
  /** VirtualDJ's folder of lists. */
  lists: string
}

export function placesOf(software: Software, system: System): Places {
  const list = texts.exampleList
  const libraryPath = libraryFileName(software, list)
  return {
    zip: format(texts.zipName, { list, software: SOFTWARE_NAMES[software] }),
    list,
    library: lastPart(libraryPath),
    libraryPath,
    relative: relativePlaylistName(list),
    playlist: absolutePlaylistName(list),
    music: inHome(system, 'Music/DJ'),
    crates: inHome(system, 'Music/_Serato_/Subcrates'),
    lists: inHome(system, `${VIRTUALDJ_FOLDER[system] ?? 'VirtualDJ'}/MyLists`),
  }
}
