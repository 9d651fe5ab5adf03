import type { Pagination as Pages } from '@dubplate/contract'
import { IconFilterOff } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { FilterBar } from './FilterBar.tsx'
import type { ListOwner } from './listOwner.ts'
import type { Column } from './listView.ts'
import { SongList, SongListSkeleton } from './SongList.tsx'
import type { Sorting } from './SortHeader.tsx'
import type { ListedSong, SearchMarks } from './searchCloseness.ts'
import { type FilterSource, NO_LIST_FILTER, useSongFilter } from './songFilter.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'

type SongPage = { songs: ListedSong[]; pagination: Pages & { more?: boolean } }

type Props = {
  queryResult: UseQueryResult<SongPage>
  label: string
  /** The name of the list in the queue, if its label says more. */
  playedFrom?: string | undefined
  /** Shown when there are no songs. */
  empty: ReactNode
  sorting?: Sorting
  /** The number of placeholder rows while loading. */
  rows?: number
  /** The playlist the songs belong to. */
  owner?: ListOwner | undefined
  /** Songs added after this time are marked as new. */
  newSince?: string | undefined
  /** A column that says nothing here: the genre on the page of a genre. */
  hiddenColumn?: Column
  /** How the songs of search results are marked. */
  marks?: SearchMarks
  /** The list, for its filter bar; without it there is none. */
  filterOf?: FilterSource
}

/** A paginated list of songs with its filter bar and its loading, error and empty states. */
export function PagedSongs({ filterOf, ...list }: Props) {
  const { isFiltered } = useSongFilter()
  const { data, isPlaceholderData } = list.queryResult
  if (!filterOf) return <SongPages {...list} />
  if (data?.songs.length === 0 && !isFiltered && !isPlaceholderData) return list.empty
  return (
    <>
      <FilterBar source={filterOf} count={data?.pagination} />
      <SongPages {...list} empty={isFiltered ? <NoFilteredSongs /> : list.empty} />
    </>
  )
}

/** Shown for a list of which no song matches the filters. */
export function NoFilteredSongs() {
  const { change } = useListAddress()
  return (
    <EmptyState
      icon={<IconFilterOff size={24} />}
      title={texts.noSongsMatchFilters}
      action={<Button onClick={() => change(NO_LIST_FILTER)}>{texts.clearFilters}</Button>}
    >
      {texts.tryRemovingSomeFilters}
    </EmptyState>
  )
}

function SongPages({
  queryResult,
  label,
  playedFrom,
  empty,
  sorting,
  rows,
  owner,
  newSince,
  hiddenColumn,
  marks,
}: Omit<Props, 'filterOf'>) {
  const { data, error, isPlaceholderData, refetch } = queryResult
  if (error && !data)
    return <ErrorState error={error} title={texts.couldntLoadTheseSongs} retry={() => void refetch()} />
  // An empty reply to the previous request says nothing about this one.
  if (!data || (isPlaceholderData && data.songs.length === 0)) return <SongListSkeleton rows={rows} />
  if (data.songs.length === 0) return empty
  const { page, perPageLimit } = data.pagination
  return (
    <>
      <SongList
        songs={data.songs}
        label={label}
        playedFrom={playedFrom}
        from={(page - 1) * perPageLimit + 1}
        sorting={sorting}
        isStale={isPlaceholderData}
        owner={owner}
        newSince={newSince}
        hiddenColumn={hiddenColumn}
        marks={marks}
      />
      <Pagination pagination={data.pagination} more={data.pagination.more} />
    </>
  )
}
