import type { Origins } from '../catalogue/value-sources.ts'
import type { SongEntry } from './song-entry.ts'
import type { Tags } from './tags.ts'

/** Returns the sources of the values of an imported song: its tags, or its name when they do not contain the value. */
export function buildOrigins(entry: SongEntry, tags: Tags): Origins {
  const originOf = (value: unknown, hasTag: unknown) =>
    value ? ((hasTag ? 'tag' : 'name') as 'tag' | 'name') : undefined
  const found = {
    title: originOf(entry.title, tags.title),
    artist: originOf(entry.artist, tags.artist ?? tags.title?.includes(' - ')),
    album: originOf(entry.album, tags.album),
    label: originOf(entry.label, tags.label),
    isrc: originOf(entry.isrc, tags.isrc),
    remixer: originOf(entry.remixer, tags.remixer ?? tags.title),
    year: originOf(entry.year, tags.year),
    genres: tags.genres.length > 0 ? ('tag' as const) : undefined,
    artwork: tags.picture ? ('tag' as const) : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, source]) => source)) as Origins
}

/** The text and number tags that are stored with a version. */
export const serializeTags = ({ picture: _picture, encoding: _encoding, ...tags }: Partial<Tags>): object => tags
