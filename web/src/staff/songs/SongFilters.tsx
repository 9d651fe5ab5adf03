import { catalogue, staffSongs } from '@dubplate/contract'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../../platform/format.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { sectionName } from '../uploads/uploadStates.ts'
import css from './Songs.module.css'
import { filtersOf, type SongAddress } from './songAddress.ts'
import * as texts from './texts.ts'

const SECTION_NAMES = ['songs', 'kuts'] as const

const STATE_NAMES = {
  all: texts.all,
  published: texts.published,
  unpublished: texts.unpublished,
  draft: texts.draft,
} as const
const LACK_NAMES = {
  key: texts.noKey,
  bpm: texts.noBpm,
  art: texts.noCover,
  genre: texts.noGenre,
  year: texts.noYear,
} as const
const ORDER_NAMES: Record<(typeof staffSongs.STAFF_SONG_ORDERS)[number], string> = {
  newest: texts.newestFirst,
  oldest: texts.oldestFirst,
  title: texts.title,
  artist: texts.artist,
  bpm: texts.bpm,
  key: texts.key,
  year: texts.yearNewestFirst,
  changed: texts.recentlyChanged,
}

/** Filters of the song table, each with the number of songs that match. */
export function SongFilters({ address }: { address: SongAddress }) {
  const navigate = useNavigate({ from: '/staff/songs' })
  const { data } = useApiQuery(staffSongs.countSongs, filtersOf(address), { keepPrevious: true })
  const { state = 'all', lacks, genre, section, sort = 'newest', find = '' } = address
  const go = (change: Partial<{ [name in keyof SongAddress]: SongAddress[name] | undefined }>, replace = false) =>
    void navigate({ search: (was) => ({ ...was, page: undefined, ...change }), replace })
  const beside = (name: string, n: number | undefined) => (n === undefined ? name : `${name} ${count(n)}`)
  return (
    <div className={css.filters}>
      <SearchField label={texts.searchByArtistTitleAlbum} value={find} onSearch={(find) => go({ find }, true)} />
      <Chips
        label={texts.songStatus}
        choices={staffSongs.STAFF_SONG_STATES.map((value) => ({
          value,
          label: beside(STATE_NAMES[value], data?.states[value]),
        }))}
        chosen={state}
        onChoose={(state) => go({ state: state === 'all' ? undefined : state })}
      />
      <div className={css.choices}>
        <Choice
          label={texts.missing}
          value={lacks ?? ''}
          onChoose={(value) => go({ lacks: (value || undefined) as SongAddress['lacks'] })}
        >
          <option value="">{texts.any}</option>
          {staffSongs.LACKS.map((value) => (
            <option key={value} value={value}>
              {beside(LACK_NAMES[value], data?.lacks[value])}
            </option>
          ))}
        </Choice>
        <GenreChoice genre={genre} onChoose={(genre) => go({ genre })} />
        <Choice
          label={texts.section}
          value={section ?? ''}
          onChoose={(value) => go({ section: SECTION_NAMES.find((name) => name === value) })}
        >
          <option value="">{texts.allSections}</option>
          {SECTION_NAMES.map((value) => (
            <option key={value} value={value}>
              {beside(sectionName(catalogue.SECTIONS[value]), data?.sections[value])}
            </option>
          ))}
        </Choice>
        <Choice
          label={texts.sortBy}
          value={sort}
          onChoose={(value) => go({ sort: value === 'newest' ? undefined : (value as SongAddress['sort']) })}
        >
          {staffSongs.STAFF_SONG_ORDERS.map((value) => (
            <option key={value} value={value}>
              {ORDER_NAMES[value]}
            </option>
          ))}
        </Choice>
      </div>
    </div>
  )
}

type ChoiceProps = { label: string; value: string | number; onChoose: (value: string) => void; children: ReactNode }

const Choice = ({ label, value, onChoose, children }: ChoiceProps) => (
  <label className={css.choice}>
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {children}
    </select>
  </label>
)

/** All genres and moods, including those without songs in the section. */
function GenreChoice({
  genre,
  onChoose,
}: {
  genre: number | undefined
  onChoose: (genre: number | undefined) => void
}) {
  const { data } = useApiQuery(catalogue.getGenresWithCount, {})
  const mains = [...(data?.genres ?? []), ...(data?.moods ?? [])]
  return (
    <Choice label={texts.genre} value={genre ?? ''} onChoose={(value) => onChoose(value ? Number(value) : undefined)}>
      <option value="">{texts.allGenres}</option>
      {genre !== undefined && !data && <option value={genre}>…</option>}
      {mains.flatMap((main) =>
        [main, ...main.subgenre].map(({ genre_id, name }) => (
          <option key={genre_id} value={genre_id}>
            {genre_id === main.genre_id ? name : `– ${name}`}
          </option>
        )),
      )}
    </Choice>
  )
}
