import type { Pagination as Pages } from '@dubplate/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import css from './PagedTiles.module.css'
import { TileGrid, TileGridSkeleton } from './Tile.tsx'

type Props<Reply> = {
  queryResult: UseQueryResult<Reply>
  /** Its name where it does not load: 'The spotlights'. */
  what: string
  /** Tiles to keep room for while loading. */
  tiles: number
  /** Whether a line stands below the title of a tile. */
  note: boolean
  /** The tiles of a reply, as `<li>`. */
  children: (reply: Reply) => ReactNode[]
  /** Stands where the grid would when there are none. */
  empty: ReactNode
}

/** A grid of tiles, four in a row, with its pages: from loading through refused and empty to there. */
export function PagedTiles<Reply extends { pagination: Pages }>({ queryResult, ...props }: Props<Reply>) {
  const { data, error, isPlaceholderData, refetch } = queryResult
  if (error && !data) return <ErrorState error={error} subject={props.what} retry={() => void refetch()} />
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
      <div className={css.page} aria-busy={isPlaceholderData || undefined}>
        <TileGrid columns="four">{tiles}</TileGrid>
      </div>
      <Pagination pagination={data.pagination} />
    </>
  )
}
