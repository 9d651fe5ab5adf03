import { catalogue, type staffSongs } from '@dubplate/contract'
import { FilterMenu } from '../../admin/TableToolbar.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { sectionName } from '../uploads/uploadStates.ts'
import * as texts from './texts.ts'

export const SECTIONS = ['songs', 'kuts'] as const

/** The filters in the URL. */
export type SongSearch = {
  find?: string
  state?: Exclude<(typeof staffSongs.STAFF_SONG_STATES)[number], 'all'>
  lacks?: (typeof staffSongs.LACKS)[number]
  genre?: number
  section?: (typeof SECTIONS)[number]
}

/** The filters as the calls take them. */
export const filtersOf = ({ find, state, lacks, genre, section }: SongSearch) => ({
  find: find ?? '',
  state: state ?? ('all' as const),
  lacks: lacks ?? null,
  genre_id: genre ?? null,
  song_section_id: section ? catalogue.SECTIONS[section] : null,
})

export type Filters = ReturnType<typeof filtersOf>

const MISSING_NAMES: Record<(typeof staffSongs.LACKS)[number], string> = {
  key: texts.noKey,
  bpm: texts.noBpm,
  art: texts.noCover,
  genre: texts.noGenre,
  year: texts.noYear,
}

type Props = {
  search: SongSearch
  counts: { lacks: Record<string, number>; sections: Record<string, number> } | undefined
  onChange: (change: Partial<Record<keyof SongSearch, string | undefined>>) => void
}

/** The filters above the table, with the number of songs that match each. */
export function SongFilters({ search: { lacks, genre, section }, counts, onChange }: Props) {
  const { data } = useApiQuery(catalogue.getGenresWithCount, {})
  return (
    <>
      <FilterMenu
        label={texts.missing}
        options={Object.entries(MISSING_NAMES).map(([value, name]) => ({ value, name, count: counts?.lacks[value] }))}
        value={lacks}
        onChange={(lacks) => onChange({ lacks })}
      />
      <FilterMenu
        label={texts.genre}
        options={[...(data?.genres ?? []), ...(data?.moods ?? [])].flatMap((main) =>
          [main, ...main.subgenre].map(({ genre_id, name }) => ({
            value: String(genre_id),
            name: genre_id === main.genre_id ? name : `– ${name}`,
          })),
        )}
        value={genre?.toString()}
        onChange={(genre) => onChange({ genre })}
      />
      <FilterMenu
        label={texts.section}
        options={SECTIONS.map((value) => ({
          value,
          name: sectionName(catalogue.SECTIONS[value]),
          count: counts?.sections[value],
        }))}
        value={section}
        onChange={(section) => onChange({ section })}
      />
    </>
  )
}
