import { player, playlists, spotlights } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CuratedGenres } from '../catalogue/CuratedGenres.tsx'
import { SuggestedCollection } from '../catalogue/SuggestedCollection.tsx'
import { useIsSectionVisible } from '../platform/pool.ts'
import { apiQuery, useApiQuery } from '../platform/queries.ts'
import { NowPlayingBlock } from '../player/NowPlayingBlock.tsx'
import { PlaylistsJustPlayed } from '../player/PlaylistsJustPlayed.tsx'
import { SongsJustPlayed } from '../player/SongsJustPlayed.tsx'

/** The interval for refetching what was just played while the page is visible. */
const REFETCH_MS = 60_000

type QueuedBlock = [asked: { isPending: boolean }, block: ReactNode]

/** The blocks of the right column, from the playing song to the suggested spotlights. */
export function SidebarBlocksContent() {
  const justPlayed = useQuery({ ...apiQuery(player.justPlayed, {}), refetchInterval: REFETCH_MS })
  const playlistsPlayed = useQuery({ ...apiQuery(playlists.playlistsJustPlayed, {}), refetchInterval: REFETCH_MS })
  const enabled = useIsSectionVisible()('spotlights')
  const genres = useApiQuery(
    spotlights.getCuratedGenres,
    { genre_id: useCuratedGenreHere() },
    { enabled, keepPrevious: true },
  )
  const suggested = useApiQuery(spotlights.getSuggestedLists, {}, { enabled })
  const curated: QueuedBlock[] = [
    [genres, <CuratedGenres key="genres" queryResult={genres} />],
    [suggested, <SuggestedCollection key="suggested" queryResult={suggested} />],
  ]
  return (
    <>
      <NowPlayingBlock />
      {revealInOrder([
        [playlistsPlayed, <PlaylistsJustPlayed key="playlists" queryResult={playlistsPlayed} />],
        [justPlayed, <SongsJustPlayed key="songs" queryResult={justPlayed} />],
        ...(enabled ? curated : []),
      ])}
    </>
  )
}

/** The curated genre whose spotlights are on screen. */
function useCuratedGenreHere(): number | undefined {
  return useMatch({ from: '/spotlight/filter/$genreId', shouldThrow: false })?.params.genreId
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
