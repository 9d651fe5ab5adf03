import { charts, spotlights } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { Carousel } from '../ui/Carousel.tsx'
import { useGrowing } from '../ui/growing.ts'
import { Card, CardSkeleton, Tile, TileSkeleton } from './Tile.tsx'
import * as texts from './texts.ts'

/** Tiles that are on the first screen of the widest window. */
const CARDS_AT_ONCE = 4
const CARDS_DRAWN = { first: CARDS_AT_ONCE, step: 4 }
const COVERS_AT_ONCE = 5
const TOP20_IN_SLIDER = 15

/** So many of the same; their keys are nobody's ids, so that none of them becomes a tile and is seen to move. */
const several = (n: number, one: ReactNode) =>
  Array.from({ length: n }, (_, i) => `waiting ${i}`).map((key) => <li key={key}>{one}</li>)

/** Who made a list, and how long it is. */
export const byline = (list: spotlights.CuratedList) =>
  [list.created_by, plural(list.song_count, 'song')].filter(Boolean).join(' · ')

/** A slider with nothing in it is left out. */
export function SpotlightSlider() {
  const { data, error, refetch } = useAsk(spotlights.getSpotlights, {})
  const drawn = useGrowing(data?.curatedlist.length ?? 0, CARDS_DRAWN)
  const trouble = !data && error && (
    <TroubleLine alert error={error} what={texts.spotlights} retry={() => void refetch()} />
  )
  if (data?.curatedlist.length === 0) return null
  return (
    <Carousel title={texts.curatedSpotlights} show="cards" action={<Link to="/spotlight/index">{texts.seeAll}</Link>}>
      {data
        ? data.curatedlist.slice(0, drawn).map((list, i) => (
            <li key={list.curated_list_id}>
              <Link to="/spotlight/view/$listId" params={{ listId: list.curated_list_id }}>
                <Card image={list.image} title={list.title} note={byline(list)} late={i >= CARDS_AT_ONCE} />
              </Link>
            </li>
          ))
        : several(trouble ? 1 : CARDS_AT_ONCE, <CardSkeleton>{trouble}</CardSkeleton>)}
    </Carousel>
  )
}

export function Top20Slider() {
  const { data, error, refetch } = useAsk(charts.getTop20Tracks, { page: 1, limit: TOP20_IN_SLIDER })
  if (error && !data) return <TroubleLine error={error} what={texts.theMonthlyTop20} retry={() => void refetch()} />
  if (data?.tracks.length === 0) return null
  return (
    <Carousel title={texts.monthlyTop20} show="covers" action={<Link to="/top20/tracks">{texts.seeAll}</Link>}>
      {data
        ? data.tracks.map((track) => (
            <li key={track.top20_track_id}>
              <Link to="/top20/songs/$trackId" params={{ trackId: track.top20_track_id }}>
                <Tile image={track.cover_image} title={track.title} late />
              </Link>
            </li>
          ))
        : several(COVERS_AT_ONCE, <TileSkeleton note={false} />)}
    </Carousel>
  )
}
