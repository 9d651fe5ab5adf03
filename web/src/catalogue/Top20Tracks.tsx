import { charts } from '@dubplate/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { Page } from '../ui/Page.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedTiles } from './PagedTiles.tsx'
import { Tile } from './Tile.tsx'
import * as texts from './texts.ts'

/** Five rows of four. */
const TILES_A_PAGE = 20

/** Tiles of the first screen: their pictures do not wait. */
const FIRST_SCREEN_TILES = 12

export function Top20Tracks() {
  const { page } = useSearch({ from: '/top20/tracks' })
  const asked = useAsk(charts.getTop20Tracks, { page: page ?? 1, limit: TILES_A_PAGE }, { keepPrevious: true })
  return (
    <Page title={texts.monthlyTop20} note={asked.data ? plural(asked.data.pagination.totalCount, 'collection') : ''}>
      <PagedTiles
        asked={asked}
        what={texts.collections}
        tiles={TILES_A_PAGE}
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
                <Tile image={track.cover_image} title={track.title} late={i >= FIRST_SCREEN_TILES} />
              </Link>
            </li>
          ))
        }
      </PagedTiles>
    </Page>
  )
}
