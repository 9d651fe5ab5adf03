import { charts, spotlights } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
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

export const curationRoutes: Route[] = [
  on(spotlights.getSpotlights, async ({ sql }) => ({ curatedlist: await newestSpotlights(sql) })),
  on(spotlights.getCuratedLists, async ({ input, sql }) => curatedLists(sql, input)),
  on(spotlights.getSuggestedLists, async ({ sql }) => ({ curatedlist: await suggestedLists(sql) })),
  on(spotlights.getCuratedGenre, async ({ input, sql }) => ({ genre: await findCuratedGenre(sql, input.genre_id) })),
  on(spotlights.getCuratedGenres, async ({ input, sql }) => ({ genres: await curatedGenres(sql, input.genre_id) })),
  on(spotlights.getSpotlightSongs, async ({ input, sql, ctx }) =>
    spotlightSongs(sql, input.curated_list_id, input.page, ctx.settings.downloadLimit),
  ),
  on(charts.getTop20Tracks, async ({ input, sql }) => top20Tracks(sql, input.page, input.limit)),
  on(charts.getTop20Songs, async ({ input, sql, ctx }) =>
    top20Songs(sql, input.top20_track_id, input.page, ctx.settings.downloadLimit),
  ),
  on(charts.getTrendingTracks, async ({ sql, ctx }) => ({
    songs: await trendingTracks(sql, ctx.settings.downloadLimit),
  })),
]
