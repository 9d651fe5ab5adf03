import { spotlights } from '@dubplate/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../platform/queries.ts'
import { NoSongs } from './NoSongs.tsx'
import { PagedTiles } from './PagedTiles.tsx'
import { listByline } from './SpotlightTiles.tsx'
import { Tile } from './Tile.tsx'
import * as texts from './texts.ts'

/** Tiles of the first screen: their pictures load eagerly. */
const FIRST_SCREEN_TILES = 12

/** A page of spotlights, newest first; only those of a curated genre if one is given. */
export const useSpotlights = (page = 1, genreId?: number) =>
  useApiQuery(spotlights.getCuratedLists, { page, curated_genres_id: genreId }, { keepPrevious: true })

type Props = { queryResult: ReturnType<typeof useSpotlights>; page: number | undefined; empty: string }

export const SpotlightGrid = ({ queryResult, page, empty }: Props) => (
  <PagedTiles
    queryResult={queryResult as UseQueryResult<NonNullable<(typeof queryResult)['data']>>}
    errorTitle={texts.couldntLoadSpotlights}
    tiles={spotlights.TILES_PER_PAGE}
    note
    empty={
      <NoSongs page={page} title={texts.noSpotlightsYet}>
        {empty}
      </NoSongs>
    }
  >
    {({ curatedlist }) =>
      curatedlist.map((list, i) => (
        <li key={list.curated_list_id}>
          <Link to="/spotlight/view/$listId" params={{ listId: list.curated_list_id }}>
            <Tile image={list.image} title={list.title} note={listByline(list)} isLazy={i >= FIRST_SCREEN_TILES} />
          </Link>
        </li>
      ))
    }
  </PagedTiles>
)
