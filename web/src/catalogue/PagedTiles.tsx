import type { Pagination as Pages } from '@dubplate/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { TileGrid, TileGridSkeleton } from './Tile.tsx'

type Props<Reply> = {
  queryResult: UseQueryResult<Reply>
  /** The title of the error message. */
  errorTitle: string
  /** The number of placeholder tiles while loading. */
  tiles: number
  /** Whether tiles have a second line below the title. */
  note: boolean
  /** The tiles of a reply, as `<li>`. */
  children: (reply: Reply) => ReactNode[]
  /** Shown when there are no tiles. */
  empty: ReactNode
}

/** A paginated grid of tiles, four in a row, with its loading, error and empty states. */
export function PagedTiles<Reply extends { pagination: Pages }>({ queryResult, ...props }: Props<Reply>) {
  const { data, error, isPlaceholderData, refetch } = queryResult
  if (error && !data) return <ErrorState error={error} title={props.errorTitle} retry={() => void refetch()} />
  if (!data) {
    return (
      <div aria-busy>
        <TileGridSkeleton columns="four" tiles={props.tiles} note={props.note} />
      </div>
    )
  }
  const tiles = props.children(data)
  if (tiles.length === 0) return props.empty
  return (
    <>
      <TileGrid columns="four" isStale={isPlaceholderData}>
        {tiles}
      </TileGrid>
      <Pagination pagination={data.pagination} />
    </>
  )
}
