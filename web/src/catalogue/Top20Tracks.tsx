import { charts } from '@dubplate/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { NoSongs } from './NoSongs.tsx'
import { PagedTiles } from './PagedTiles.tsx'
import { Tile } from './Tile.tsx'
import * as texts from './texts.ts'

/** Five rows of four. */
const TILES_PER_PAGE = 20

/** Tiles of the first screen: their pictures load eagerly. */
const FIRST_SCREEN_TILES = 12

export function Top20Tracks() {
  const { page } = useSearch({ from: '/top20/tracks' })
  const queryResult = useApiQuery(
    charts.getTop20Tracks,
    { page: page ?? 1, limit: TILES_PER_PAGE },
    { keepPrevious: true },
  )
  return (
    <Page
      title={texts.monthlyTop20}
      note={queryResult.data ? format(texts.collectionCount, { count: queryResult.data.pagination.totalCount }) : ''}
    >
      <PagedTiles
        queryResult={queryResult}
        errorTitle={texts.couldntLoadCollections}
        tiles={TILES_PER_PAGE}
        note={false}
        empty={
          <NoSongs page={page} title={texts.noCollectionsYet}>
            {texts.monthlyCollectionsWillAppearHere}
          </NoSongs>
        }
      >
        {({ tracks }) =>
          tracks.map((track, i) => (
            <li key={track.top20_track_id}>
              <Link to="/top20/songs/$trackId" params={{ trackId: track.top20_track_id }}>
                <Tile image={track.cover_image} title={track.title} isLazy={i >= FIRST_SCREEN_TILES} />
              </Link>
            </li>
          ))
        }
      </PagedTiles>
    </Page>
  )
}
