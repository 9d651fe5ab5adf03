import { charts, player, playlists, spotlights } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ChartAside } from '../catalogue/ChartAside.tsx'
import { CuratedGenres } from '../catalogue/CuratedGenres.tsx'
import { MixesWith } from '../catalogue/MixesWith.tsx'
import { SuggestedCollection } from '../catalogue/SuggestedCollection.tsx'
import { useIsSectionVisible } from '../platform/pool.ts'
import { apiQuery, useApiQuery } from '../platform/queries.ts'
import { PlaylistsJustPlayed } from '../player/PlaylistsJustPlayed.tsx'
import { SongsJustPlayed } from '../player/SongsJustPlayed.tsx'
import { currentEntry, usePlayer } from '../player/store.ts'
import css from './Sidebar.module.css'
import * as texts from './texts.ts'

/** The interval for refetching what was just played while the page is visible. */
const REFETCH_MS = 60_000

type QueuedBlock = [query: { isPending: boolean }, block: ReactNode]

/** The blocks of the right column: what mixes with the playing song, charts, what others play, and spotlights. */
export function SidebarBlocks() {
  const entry = usePlayer(currentEntry)
  const justPlayed = useQuery({ ...apiQuery(player.justPlayed, {}), refetchInterval: REFETCH_MS })
  const playlistsPlayed = useQuery({ ...apiQuery(playlists.playlistsJustPlayed, {}), refetchInterval: REFETCH_MS })
  return (
    <div className={css.blocks}>
      {entry && <MixesWith song={entry.song} />}
      {revealInOrder([
        ...useChartBlocks(),
        [playlistsPlayed, <PlaylistsJustPlayed key="playlists" queryResult={playlistsPlayed} />],
        [justPlayed, <SongsJustPlayed key="songs" queryResult={justPlayed} />],
        ...useSpotlightBlocks(),
      ])}
    </div>
  )
}

function useChartBlocks(): QueuedBlock[] {
  const enabled = useIsSectionVisible()('charts')
  const today = useApiQuery(charts.getMostDownloadedToday, {}, { enabled })
  const trending = useApiQuery(charts.getTrendingTracks, {}, { enabled })
  if (!enabled) return []
  return [
    [
      today,
      <ChartAside
        key="today"
        title={texts.mostDownloadedToday}
        queryResult={today}
        empty={texts.noDownloadsYetToday}
      />,
    ],
    [trending, <ChartAside key="trending" title={texts.top30Trending} queryResult={trending} />],
  ]
}

function useSpotlightBlocks(): QueuedBlock[] {
  const enabled = useIsSectionVisible()('spotlights')
  // The curated genre whose spotlights are on screen.
  const genre_id = useMatch({ from: '/spotlight/filter/$genreId', shouldThrow: false })?.params.genreId
  const genres = useApiQuery(spotlights.getCuratedGenres, { genre_id }, { enabled, keepPrevious: true })
  const suggested = useApiQuery(spotlights.getSuggestedLists, {}, { enabled })
  if (!enabled) return []
  return [
    [genres, <CuratedGenres key="genres" queryResult={genres} />],
    [suggested, <SuggestedCollection key="suggested" queryResult={suggested} />],
  ]
}

/**
 * The blocks up to the first one that is still loading. An empty block is hidden and moves nothing, because the blocks
 * below it are not shown yet.
 */
function revealInOrder(blocks: QueuedBlock[]): ReactNode {
  const first = blocks.findIndex(([{ isPending }]) => isPending)
  const visible = first < 0 ? blocks : blocks.slice(0, first + 1)
  return visible.map(([, block]) => block)
}
