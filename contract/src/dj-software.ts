import { safeName } from './safe-names.ts'

/** The DJ software that booth kits are made for. */
export const SOFTWARE = ['rekordbox', 'serato', 'traktor', 'virtualdj', 'mixxx', 'engine'] as const
export type Software = (typeof SOFTWARE)[number]

export const SOFTWARE_NAMES: Record<Software, string> = {
  rekordbox: 'rekordbox',
  serato: 'Serato',
  traktor: 'Traktor',
  virtualdj: 'VirtualDJ',
  mixxx: 'Mixxx',
  engine: 'Engine DJ',
}

/** The playlist of a kit with paths from the music folder. */
export const relativePlaylistName = (name: string): string => `${safeName(name)}.m3u8`

/** The playlist of a kit with whole paths. */
export const absolutePlaylistName = (name: string): string => `${safeName(`${name} (whole paths)`)}.m3u8`

const LIBRARY_FILE_NAMES: Record<Software, (name: string, suffix: string) => string> = {
  rekordbox: (_, suffix) => `dubplate${suffix}.xml`,
  engine: (_, suffix) => `dubplate${suffix}.xml`,
  traktor: (_, suffix) => `dubplate${suffix}.nml`,
  // Two percent signs in its name would be a crate within a crate; safe names have none.
  serato: (name) => `_Serato_/Subcrates/${safeName(name)}.crate`,
  virtualdj: (name) => `MyLists/${safeName(name)}.vdjfolder`,
  mixxx: absolutePlaylistName,
}

/**
 * The file of a kit that a program imports, as a path in the zip; `name` is the kit's playlist. `suffix` is ' (1 of 3)' if
 * the kit is in several zips: the name of the playlist has it already.
 */
export const libraryFileName = (software: Software, name: string, suffix = ''): string =>
  LIBRARY_FILE_NAMES[software](name, suffix)
