import { absolutePlaylistName, libraryFileName, relativePlaylistName, type Software } from '@dubplate/contract'
import { version } from '../platform/version.ts'
import type { KitTrack } from './kit-track.ts'
import { playlistFile, type SkippedTrack } from './playlist-file.ts'
import type { DownloadProfile } from './profiles.ts'
import { rekordboxXml } from './rekordbox-xml.ts'
import { crateFile } from './serato-crate.ts'
import { traktorNml } from './traktor-nml.ts'
import { virtualDjList } from './virtualdj-list.ts'

/** A file of a kit besides the music; its name is a path in the archive. */
export type KitFile = { name: string; bytes: Buffer }

type KitContents = {
  profile: DownloadProfile
  /** The name of the playlist in the DJ software. */
  name: string
  /** Ends the name of a library file, if the songs are in several zips: ' (1 of 3)'. */
  suffix?: string
  tracks: readonly KitTrack[]
  /** Named in the playlist with relative paths. */
  skipped?: SkippedTrack[]
  created_at: Date
}

const inOrder = ({ name, tracks }: KitContents) => ({ name, tracks: tracks.map((_, index) => index) })

const rekordboxFile = (contents: KitContents): Buffer =>
  rekordboxXml(contents.tracks, [inOrder(contents)], version.version)

/**
 * What each program imports. Engine DJ reads the collection of rekordbox, and Mixxx playlists; both read beats and cues
 * from no other file. Serato finds its crate where the archive has it, if that is unpacked in the folder of `_Serato_`.
 */
const LIBRARY_FILE: Record<Software, (contents: KitContents) => Buffer> = {
  rekordbox: rekordboxFile,
  engine: rekordboxFile,
  traktor: (contents) => traktorNml(contents.profile, contents.tracks, [inOrder(contents)], contents.created_at),
  serato: ({ profile, tracks }) => crateFile(profile, tracks),
  virtualdj: ({ tracks }) => virtualDjList(tracks),
  mixxx: (contents) => absolutePlaylist(contents).bytes,
}

/** The file that a program imports. */
const libraryFile = (software: Software, contents: KitContents): KitFile => ({
  name: libraryFileName(software, contents.name, contents.suffix),
  bytes: LIBRARY_FILE[software](contents),
})

/**
 * The library file, and playlists with paths from the music folder and with whole paths, which every program opens.
 * Without a program, the playlist with relative paths alone.
 */
export function kitFiles(software: Software | null, contents: KitContents): KitFile[] {
  if (software === null) return [relativePlaylist(contents)]
  const library = libraryFile(software, contents)
  const playlists = [relativePlaylist(contents), absolutePlaylist(contents)]
  return [library, ...playlists.filter(({ name }) => name !== library.name)]
}

const relativePlaylist = ({ name, tracks, skipped = [] }: KitContents): KitFile => ({
  name: relativePlaylistName(name),
  bytes: playlistFile(
    tracks.map((track) => ({ ...track, version_label: '', path: track.path.relative })),
    skipped,
  ),
})

const absolutePlaylist = ({ name, tracks }: KitContents): KitFile => ({
  name: absolutePlaylistName(name),
  bytes: playlistFile(tracks.map((track) => ({ ...track, version_label: '', path: track.path.absolute }))),
})
