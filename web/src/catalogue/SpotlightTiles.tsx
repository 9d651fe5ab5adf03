import { spotlights } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { Tile, TileSkeleton } from './Tile.tsx'
import css from './Tiles.module.css'
import * as texts from './texts.ts'

/** In one row; on a phone, more follow to the right. */
const ACROSS = 4
const ON_PHONES = 8

/** Keys that are no ids, so that no placeholder is reused as a tile and moves. */
const WAITING = Array.from({ length: ACROSS }, (_, i) => `waiting ${i}`)

/** The author and length of a spotlight. */
export const listByline = (list: spotlights.CuratedList) =>
  [list.created_by, format(texts.songCount, { count: list.song_count })].filter(Boolean).join(' · ')

/** The newest spotlights of the home page; hidden when there are none. */
export function SpotlightTiles() {
  const { data, error, refetch } = useApiQuery(spotlights.getSpotlights, {})
  if (data?.curatedlist.length === 0) return null
  return (
    <section aria-label={texts.spotlights}>
      <SectionHead title={texts.spotlights}>
        <Link to="/spotlight/index">{texts.seeAll}</Link>
      </SectionHead>
      {error && !data ? (
        <InlineError alert error={error} title={texts.couldntLoadSpotlightsInline} retry={() => void refetch()} />
      ) : (
        <ul className={css.spotlights}>
          {data
            ? data.curatedlist.slice(0, ON_PHONES).map((list, i) => (
                <li key={list.curated_list_id}>
                  <Link to="/spotlight/view/$listId" params={{ listId: list.curated_list_id }}>
                    <Tile image={list.image} title={list.title} note={listByline(list)} isLazy={i >= ACROSS} />
                  </Link>
                </li>
              ))
            : WAITING.map((key) => (
                <li key={key}>
                  <TileSkeleton />
                </li>
              ))}
        </ul>
      )}
    </section>
  )
}
