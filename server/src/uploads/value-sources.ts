import type { uploadedSongs, uploads } from '@dubplate/contract'

export type Values = {
  title: string
  artist: string
  year: number
  song_key: string
  min_bpm: number
  max_bpm: number
  genres: readonly number[]
}

export type Sources = uploadedSongs.SongEntry['sources']
type Field = keyof Sources

/** What one of a song's files contains: its tags and analysis. */
export type FileValues = { tag: Partial<uploads.Tag>; bpm: number | null; song_key: string | null }

type PreviousValues = { values: Values; sources: Sources }

/** Close enough to be equal: people write 128 for a measured 127.98. */
const isTempo = (values: Values, bpm: number | null | undefined): boolean =>
  bpm !== null && bpm !== undefined && values.min_bpm === values.max_bpm && Math.abs(values.min_bpm - bpm) < 0.5

const FIELD_EQUALS: Record<Field, (a: Values, b: Values) => boolean> = {
  title: (a, b) => a.title === b.title,
  artist: (a, b) => a.artist === b.artist,
  year: (a, b) => a.year === b.year,
  song_key: (a, b) => a.song_key === b.song_key,
  bpm: (a, b) => a.min_bpm === b.min_bpm && a.max_bpm === b.max_bpm,
  genres: (a, b) => [...a.genres].sort().join() === [...b.genres].sort().join(),
}

const TAG_EQUALS: Record<Field, (values: Values, tag: Partial<uploads.Tag>) => boolean> = {
  title: (values, tag) => values.title === tag.title,
  artist: (values, tag) => values.artist === tag.artist,
  year: (values, tag) => values.year === tag.year,
  song_key: (values, tag) => values.song_key === tag.song_key,
  bpm: (values, tag) => isTempo(values, tag.bpm),
  genres: (values, tag) => values.genres.every((genre) => tag.genre_ids?.includes(genre)),
}

/**
 * Determines the source of each value: an unchanged one keeps its source; a new one has the tags or the analysis as
 * source if it equals theirs, otherwise the person who entered it.
 */
export function resolveSources(
  values: Values,
  uploader: readonly FileValues[],
  by: 'uploader' | 'staff',
  before: PreviousValues | undefined,
): Sources {
  const resolveSource = (field: Field): uploadedSongs.Source => {
    if (before && FIELD_EQUALS[field](values, before.values)) return before.sources[field]
    if (by === 'staff') return 'staff'
    if (uploader.some(({ tag }) => TAG_EQUALS[field](values, tag))) return 'tag'
    if (field === 'bpm' && uploader.some(({ bpm }) => isTempo(values, bpm))) return 'analysis'
    if (field === 'song_key' && uploader.some(({ song_key }) => song_key === values.song_key)) return 'analysis'
    return 'uploader'
  }
  const fields = Object.keys(FIELD_EQUALS) as Field[]
  return Object.fromEntries(fields.map((field) => [field, resolveSource(field)])) as Sources
}
