import type { Pagination as Pages } from '@dubplate/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import type { ListOwner } from './listOwner.ts'
import type { Column } from './listView.ts'
import { SongList, SongListSkeleton } from './SongList.tsx'
import type { Sorting } from './SortHeader.tsx'
import type { ListedSong, SearchMarks } from './searchCloseness.ts'
import * as texts from './texts.ts'

type SongPage = { songs: ListedSong[]; pagination: Pages & { more?: boolean } }

type Props = {
  queryResult: UseQueryResult<SongPage>
  label: string
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
}

/** A paginated list of songs with its loading, error and empty states. */
export function PagedSongs({ queryResult, label, empty, sorting, rows, owner, newSince, hiddenColumn, marks }: Props) {
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
