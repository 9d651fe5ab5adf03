import { charts } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useApiQuery } from '../platform/queries.ts'
import { mayHaveAnnouncements, rememberHasAnnouncements } from '../site/announcementMemory.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { Tile, TileGrid, TileGridSkeleton } from './Tile.tsx'
import * as texts from './texts.ts'

const VISIBLE_COUNT = 6

/**
 * The six newest monthly top 20s. Hidden when there are none or they fail to load; the songs below do not depend on
 * them.
 */
export function FirstTop20() {
  const { data, error } = useApiQuery(charts.getTop20Tracks, { page: 1, limit: VISIBLE_COUNT })
  if (data) rememberHasAnnouncements('top20', data.tracks.length > 0)
  if (error && !data) return null
  if (data ? data.tracks.length === 0 : !mayHaveAnnouncements('top20')) return null
  return (
    <section aria-busy={!data}>
      <SectionHead title={texts.monthlyTop20}>
        <Link to="/top20/tracks">{texts.seeAll}</Link>
      </SectionHead>
      {data ? (
        <TileGrid columns="six">
          {data.tracks.map((track) => (
            <li key={track.top20_track_id}>
              <Link to="/top20/songs/$trackId" params={{ trackId: track.top20_track_id }}>
                <Tile image={track.cover_image} title={track.title} />
              </Link>
            </li>
          ))}
        </TileGrid>
      ) : (
        <TileGridSkeleton columns="six" tiles={VISIBLE_COUNT} note={false} />
      )}
    </section>
  )
}
