import type { Origins } from '../catalogue/origins.ts'
import type { SongEntry } from './song-entry.ts'
import type { Tags } from './tags.ts'

/** Where the values of a song that comes in by a file are from: its tags, or its name where they are silent. */
export function originsOf(entry: SongEntry, tags: Tags): Origins {
  const told = (value: unknown, isTagged: unknown) =>
    value ? ((isTagged ? 'tag' : 'name') as 'tag' | 'name') : undefined
  const found = {
    title: told(entry.title, tags.title),
    artist: told(entry.artist, tags.artist ?? tags.title?.includes(' - ')),
    album: told(entry.album, tags.album),
    label: told(entry.label, tags.label),
    isrc: told(entry.isrc, tags.isrc),
    remixer: told(entry.remixer, tags.remixer ?? tags.title),
    year: told(entry.year, tags.year),
    genres: tags.genres.length > 0 ? ('tag' as const) : undefined,
    artwork: tags.picture ? ('tag' as const) : undefined,
  }
  return Object.fromEntries(Object.entries(found).filter(([, source]) => source)) as Origins
}

/** The words and numbers of tags as they are kept beside a version. */
export const keptTags = ({ picture: _, ...tags }: Tags): object => tags
