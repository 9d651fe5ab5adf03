import { player, playlists, spotlights } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useMatch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CuratedGenres } from '../catalogue/CuratedGenres.tsx'
import { SuggestedCollection } from '../catalogue/SuggestedCollection.tsx'
import { useShown } from '../platform/pool.ts'
import { asking, useAsk } from '../platform/queries.ts'
import { NowPlayingBlock } from '../player/NowPlayingBlock.tsx'
import { PlaylistsJustPlayed } from '../player/PlaylistsJustPlayed.tsx'
import { SongsJustPlayed } from '../player/SongsJustPlayed.tsx'

/** While the page is looked at, what was just played is asked for so often. */
const EVERY_MS = 60_000

type Turn = [asked: { isPending: boolean }, block: ReactNode]

/** The blocks of the right column, from what plays to what the pool suggests. */
export function Blocks() {
  const justPlayed = useQuery({ ...asking(player.justPlayed, {}), refetchInterval: EVERY_MS })
  const playlistsPlayed = useQuery({ ...asking(playlists.playlistsJustPlayed, {}), refetchInterval: EVERY_MS })
  const when = useShown()('spotlights')
  const genres = useAsk(spotlights.getCuratedGenres, { genre_id: useCuratedGenreHere() }, { when, keepPrevious: true })
  const suggested = useAsk(spotlights.getSuggestedLists, {}, { when })
  const curated: Turn[] = [
    [genres, <CuratedGenres key="genres" asked={genres} />],
    [suggested, <SuggestedCollection key="suggested" asked={suggested} />],
  ]
  return (
    <>
      <NowPlayingBlock />
      {inTurn([
        [playlistsPlayed, <PlaylistsJustPlayed key="playlists" asked={playlistsPlayed} />],
        [justPlayed, <SongsJustPlayed key="songs" asked={justPlayed} />],
        ...(when ? curated : []),
      ])}
    </>
  )
}

/** The curated genre whose lists are on screen. */
function useCuratedGenreHere(): number | undefined {
  return useMatch({ from: '/spotlight/filter/$genreId', shouldThrow: false })?.params.genreId
}

/**
 * The blocks down to the first one that is still on its way. One that turns out to be empty is left out, and moves
 * nothing, because what comes below it is not there yet.
 */
function inTurn(blocks: Turn[]): ReactNode {
  const first = blocks.findIndex(([{ isPending }]) => isPending)
  const shown = first < 0 ? blocks : blocks.slice(0, first + 1)
  return shown.map(([, block]) => block)
}
