import { catalogue, type staffSongs } from '@dubplate/contract'
import type { ListSection } from '../../catalogue/section.ts'

/** The filters, order and page in the URL of the table. */
export type SongAddress = {
  page?: number
  find?: string
  state?: 'published' | 'unpublished' | 'draft'
  lacks?: (typeof staffSongs.LACKS)[number]
  genre?: number
  section?: ListSection
  sort?: (typeof staffSongs.STAFF_SONG_ORDERS)[number]
}

export type Filters = {
  find: string
  state: (typeof staffSongs.STAFF_SONG_STATES)[number]
  lacks: (typeof staffSongs.LACKS)[number] | null
  genre_id: number | null
  song_section_id: number | null
}

export const filtersOf = ({ find, state, lacks, genre, section }: SongAddress): Filters => ({
  find: find ?? '',
  state: state ?? 'all',
  lacks: lacks ?? null,
  genre_id: genre ?? null,
  song_section_id: section && section !== 'all' ? catalogue.SECTIONS[section] : null,
})

export const isNarrowed = ({ find, state, lacks, genre, section }: SongAddress): boolean =>
  [find, state, lacks, genre, section].some((value) => value !== undefined)
