import { catalogue } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { Carousel } from '../ui/Carousel.tsx'
import { Tile, TileSkeleton } from './Tile.tsx'

/** Tiles that are on the first screen of the widest window. */
const AT_ONCE = 5
const TOP20_ON_HOME = 15

const Skeletons = ({ note }: { note: boolean }) =>
  Array.from({ length: AT_ONCE }, (_, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <li key={i}>
      <TileSkeleton note={note} />
    </li>
  ))

const byline = (list: catalogue.CuratedList) =>
  [list.created_by, plural(list.song_count, 'song')].filter(Boolean).join(' · ')

/** A slider that does not load, or has nothing in it, is left out: the rest of the page does not depend on it. */
export function SpotlightSlider() {
  const { data, error } = useAsk(catalogue.getSpotlights, {})
  if ((error && !data) || data?.curatedlist.length === 0) return null
  return (
    <Carousel title="Curated spotlights">
      {data ? (
        data.curatedlist.map((list, i) => (
          <li key={list.curated_list_id}>
            <Link to="/spotlight/view/$listId" params={{ listId: list.curated_list_id }}>
              <Tile image={list.image} title={list.title} note={byline(list)} late={i >= AT_ONCE} />
            </Link>
          </li>
        ))
      ) : (
        <Skeletons note />
      )}
    </Carousel>
  )
}

export function Top20Slider() {
  const { data, error } = useAsk(catalogue.getTop20Tracks, { page: 1, limit: TOP20_ON_HOME })
  if ((error && !data) || data?.tracks.length === 0) return null
  return (
    <Carousel title="Monthly top 20">
      {data ? (
        data.tracks.map((track) => (
          <li key={track.top20_track_id}>
            <Link to="/top20/songs/$trackId" params={{ trackId: track.top20_track_id }}>
              <Tile image={track.cover_image} title={track.title} late />
            </Link>
          </li>
        ))
      ) : (
        <Skeletons note={false} />
      )}
    </Carousel>
  )
}
