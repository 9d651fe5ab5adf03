import { charts } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Carousel } from '../ui/Carousel.tsx'
import { Tile, TileSkeleton } from './Tile.tsx'
import * as texts from './texts.ts'

const COVERS_AT_ONCE = 5
const TOP20_IN_SLIDER = 15

/** Keys that are no ids, so that no placeholder is reused as a tile and moves. */
const WAITING = Array.from({ length: COVERS_AT_ONCE }, (_, i) => `waiting ${i}`)

/** The newest monthly top 20 collections, below the chart. */
export function Top20Slider() {
  const { data, error, refetch } = useApiQuery(charts.getTop20Tracks, { page: 1, limit: TOP20_IN_SLIDER })
  if (error && !data)
    return <InlineError error={error} title={texts.couldntLoadTheMonthlyTop20Inline} retry={() => void refetch()} />
  if (data?.tracks.length === 0) return null
  return (
    <Carousel title={texts.monthlyTop20} action={<Link to="/top20/tracks">{texts.seeAll}</Link>}>
      {data
        ? data.tracks.map((track) => (
            <li key={track.top20_track_id}>
              <Link to="/top20/songs/$trackId" params={{ trackId: track.top20_track_id }}>
                <Tile image={track.cover_image} title={track.title} isLazy />
              </Link>
            </li>
          ))
        : WAITING.map((key) => (
            <li key={key}>
              <TileSkeleton note={false} />
            </li>
          ))}
    </Carousel>
  )
}
