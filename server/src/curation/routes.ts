import { charts, spotlights } from '@dubplate/contract'
import { keepMatching } from '../catalogue/song-filtering.ts'
import { on, type Route } from '../membership/caller.ts'
import type { ModuleHooks } from '../module.ts'
import { top20Songs, top20Tracks } from './collections.ts'
import {
  curatedGenres,
  curatedLists,
  findCuratedGenre,
  newestSpotlights,
  spotlightSongs,
  suggestedLists,
} from './curated.ts'
import { trendingTracks } from './trending.ts'

export const curationRoutes = ({ songFiltering }: ModuleHooks): Route[] => [
  on(spotlights.getSpotlights, async ({ sql }) => ({ curatedlist: await newestSpotlights(sql) })),
  on(spotlights.getCuratedLists, async ({ input, sql }) => curatedLists(sql, input)),
  on(spotlights.getSuggestedLists, async ({ sql }) => ({ curatedlist: await suggestedLists(sql) })),
  on(spotlights.getCuratedGenre, async ({ input, sql }) => ({ genre: await findCuratedGenre(sql, input.genre_id) })),
  on(spotlights.getCuratedGenres, async ({ input, sql }) => ({ genres: await curatedGenres(sql, input.genre_id) })),
  on(spotlights.getSpotlightSongs, async ({ input, caller, sql, ctx }) =>
    spotlightSongs(
      sql,
      input.curated_list_id,
      input.page,
      ctx.settings.downloadLimit,
      keepMatching(songFiltering, { sql, input, caller }),
    ),
  ),
  on(charts.getTop20Tracks, async ({ input, sql }) => top20Tracks(sql, input.page, input.limit)),
  on(charts.getTop20Songs, async ({ input, caller, sql, ctx }) =>
    top20Songs(
      sql,
      input.top20_track_id,
      input.page,
      ctx.settings.downloadLimit,
      keepMatching(songFiltering, { sql, input, caller }),
    ),
  ),
  on(charts.getTrendingTracks, async ({ sql, ctx }) => ({
    songs: await trendingTracks(sql, ctx.settings.downloadLimit),
  })),
]
