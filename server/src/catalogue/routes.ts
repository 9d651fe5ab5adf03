import { catalogue } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { chartPage, mostDownloadedToday, trendingTracks } from './charts.ts'
import { top20Songs, top20Tracks } from './collections.ts'
import {
  curatedGenres,
  curatedLists,
  findCuratedGenre,
  newestSpotlights,
  spotlightSongs,
  suggestedLists,
} from './curated.ts'
import { findGenre, genresWithCounts, genresWithSongs, homeChips, homeGenre } from './genres.ts'
import { listSongs } from './lists.ts'
import { answerSearch } from './search-call.ts'
import { similarSongs } from './similar.ts'
import { songsOf, theseSongs } from './songs.ts'
import { suggest } from './suggest.ts'

const newest = { page: 1, order: 'entity_id', orderDir: 'DESC', song_section_id: catalogue.SECTIONS.songs } as const

export const catalogueRoutes = ({ sql, config }: World): Call<Asker>[] => {
  const limit = config.downloadLimit
  return [
    on(catalogue.getGenresSong, async ({ input }) => {
      const genre_id = input.genre_id ?? (await homeGenre(sql))?.genre_id ?? catalogue.HOME_GENRE_ID
      const [genre, { songs }] = await Promise.all([
        findGenre(sql, genre_id),
        listSongs(sql, { ...newest, genre_id }, limit),
      ])
      return { genre, songs }
    }),
    on(catalogue.getNewRelease, async ({ input }) => {
      if (input.genre_id) await findGenre(sql, input.genre_id)
      const [list, genres] = await Promise.all([
        listSongs(sql, input, limit),
        genresWithSongs(sql, input.song_section_id),
      ])
      return { ...list, genres }
    }),
    on(catalogue.genreSongs, async ({ input }) => {
      const [genre, list] = await Promise.all([findGenre(sql, input.genre_id), listSongs(sql, input, limit)])
      return { genre, ...list }
    }),
    on(catalogue.searchSongs, async ({ input, asker }) => answerSearch(sql, input, asker, limit)),
    on(catalogue.suggestSearch, async ({ input }) => suggest(sql, input.text)),
    on(catalogue.getSong, async ({ input }) => {
      const [song] = await songsOf(sql, theseSongs(sql, [input.entity_id]), limit)
      if (!song) throw new Refusal('unknown_song', 'There is no such song. It may have been withdrawn.')
      return { song }
    }),
    on(catalogue.getSimilarSongs, async ({ input }) => ({ songs: await similarSongs(sql, input.entity_id, limit) })),
    on(catalogue.homePageGenres, async () => ({
      genres: await homeChips(sql),
      default_genre_id: (await homeGenre(sql))?.genre_id ?? null,
    })),
    on(catalogue.getGenresWithCount, async ({ input }) => genresWithCounts(sql, input.song_section_id)),
    on(catalogue.getSongGenres, async ({ input }) => ({ genres: await genresWithSongs(sql, input.song_section_id) })),
    on(catalogue.getSpotlights, async () => ({ curatedlist: await newestSpotlights(sql) })),
    on(catalogue.getCuratedLists, async ({ input }) => curatedLists(sql, input)),
    on(catalogue.getSuggestedLists, async () => ({ curatedlist: await suggestedLists(sql) })),
    on(catalogue.getCuratedGenre, async ({ input }) => ({ genre: await findCuratedGenre(sql, input.genre_id) })),
    on(catalogue.getCuratedGenres, async ({ input }) => ({ genres: await curatedGenres(sql, input.genre_id) })),
    on(catalogue.getSpotlightSongs, async ({ input }) => spotlightSongs(sql, input.curated_list_id, input.page, limit)),
    on(catalogue.getChart, async ({ input }) => chartPage(sql, input, limit)),
    on(catalogue.getTop20Tracks, async ({ input }) => top20Tracks(sql, input.page, input.limit)),
    on(catalogue.getTop20Songs, async ({ input }) => top20Songs(sql, input.top20_track_id, input.page, limit)),
    on(catalogue.getTrendingTracks, async () => ({ songs: await trendingTracks(sql, limit) })),
    on(catalogue.getMostDownloadedToday, async () => ({ songs: await mostDownloadedToday(sql, limit) })),
  ]
}
