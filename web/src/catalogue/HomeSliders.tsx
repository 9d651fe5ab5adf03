import { charts, spotlights } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Carousel } from '../ui/Carousel.tsx'
import { useProgressiveCount } from '../ui/useProgressiveCount.ts'
import { Card, CardSkeleton, Tile, TileSkeleton } from './Tile.tsx'
import * as texts from './texts.ts'

/** The number of tiles on the first screen of the widest window. */
const CARDS_AT_ONCE = 4
const CARDS_DRAWN = { initialCount: CARDS_AT_ONCE, step: 4 }
const COVERS_AT_ONCE = 5
const TOP20_IN_SLIDER = 15

/** Repeats an element. The keys are no real ids, so that no placeholder is reused as a tile and animated. */
const repeat = (n: number, one: ReactNode) =>
  Array.from({ length: n }, (_, i) => `waiting ${i}`).map((key) => <li key={key}>{one}</li>)

/** The author and length of a spotlight. */
export const listByline = (list: spotlights.CuratedList) =>
  [list.created_by, format(texts.songCount, { count: list.song_count })].filter(Boolean).join(' · ')

/** The slider of spotlights; hidden when it is empty. */
export function SpotlightSlider() {
  const { data, error, refetch } = useApiQuery(spotlights.getSpotlights, {})
  const renderedCount = useProgressiveCount(data?.curatedlist.length ?? 0, CARDS_DRAWN)
  const errorMessage = !data && error && (
    <InlineError alert error={error} title={texts.couldntLoadSpotlightsInline} retry={() => void refetch()} />
  )
  if (data?.curatedlist.length === 0) return null
  return (
    <Carousel title={texts.curatedSpotlights} layout="cards" action={<Link to="/spotlight/index">{texts.seeAll}</Link>}>
      {data
        ? data.curatedlist.slice(0, renderedCount).map((list, i) => (
            <li key={list.curated_list_id}>
              <Link to="/spotlight/view/$listId" params={{ listId: list.curated_list_id }}>
                <Card image={list.image} title={list.title} note={listByline(list)} isLazy={i >= CARDS_AT_ONCE} />
              </Link>
            </li>
          ))
        : repeat(errorMessage ? 1 : CARDS_AT_ONCE, <CardSkeleton>{errorMessage}</CardSkeleton>)}
    </Carousel>
  )
}

export function Top20Slider() {
  const { data, error, refetch } = useApiQuery(charts.getTop20Tracks, { page: 1, limit: TOP20_IN_SLIDER })
  if (error && !data)
    return <InlineError error={error} title={texts.couldntLoadTheMonthlyTop20Inline} retry={() => void refetch()} />
  if (data?.tracks.length === 0) return null
  return (
    <Carousel title={texts.monthlyTop20} layout="covers" action={<Link to="/top20/tracks">{texts.seeAll}</Link>}>
      {data
        ? data.tracks.map((track) => (
            <li key={track.top20_track_id}>
              <Link to="/top20/songs/$trackId" params={{ trackId: track.top20_track_id }}>
                <Tile image={track.cover_image} title={track.title} isLazy />
              </Link>
            </li>
          ))
        : repeat(COVERS_AT_ONCE, <TileSkeleton note={false} />)}
    </Carousel>
  )
}
