import { catalogue } from '@dubplate/contract'
import { findLowestPrice } from '../billing/plans.ts'
import { on, type Route } from '../membership/caller.ts'
import type { ModuleHooks } from '../module.ts'
import { ApiError } from '../platform/api-error.ts'
import { countSongs, findGenre, genresWithCounts, genresWithSongs, homeChips, homeGenre } from './genres.ts'
import { applyHiddenParts } from './hidden-parts.ts'
import { countNewSongs, listSongs } from './lists.ts'
import { currentSong } from './merged-songs.ts'
import { filterQuery } from './song-filtering.ts'
import { songsOf } from './songs.ts'

const newest = { page: 1, order: 'entity_id', orderDir: 'DESC' } as const

export const catalogueRoutes = ({ songFiltering: { listMatching } }: ModuleHooks): Route[] => [
  on(catalogue.getGenresSong, async ({ input: asked, ctx, sql }) => {
    const input = await applyHiddenParts(ctx, asked)
    const genre_id = input.genre_id ?? (await homeGenre(sql, ctx.settings))?.genre_id ?? catalogue.HOME_GENRE_ID
    const genre = await findGenre(sql, genre_id)
    const { songs } = await listSongs(
      sql,
      { ...newest, ...input, genre_id: genre.genre_id },
      ctx.settings.downloadLimit,
    )
    return { genre, songs }
  }),
  on(catalogue.getNewRelease, async ({ input: asked, caller, ctx, sql }) => {
    const input = await applyHiddenParts(ctx, asked)
    const genre = input.genre_id ? await findGenre(sql, input.genre_id) : undefined
    const query = filterQuery({ input, caller })
    const params = { ...input, genre_id: genre?.genre_id }
    const { downloadLimit } = ctx.settings
    const [list, genres] = await Promise.all([
      query ? listMatching(sql, params, query, downloadLimit) : listSongs(sql, params, downloadLimit),
      genresWithSongs(sql, input.song_section_id),
    ])
    return { ...list, genres }
  }),
  on(catalogue.genreSongs, async ({ input: asked, caller, ctx, sql }) => {
    const input = await applyHiddenParts(ctx, asked)
    const genre = await findGenre(sql, input.genre_id)
    const query = filterQuery({ input, caller })
    const params = { ...input, genre_id: genre.genre_id }
    const { downloadLimit } = ctx.settings
    const list = query ? listMatching(sql, params, query, downloadLimit) : listSongs(sql, params, downloadLimit)
    return { genre, ...(await list) }
  }),
  on(catalogue.getSong, async ({ input, sql, ctx }) => {
    const [song] = await songsOf(sql, [await currentSong(sql, input.entity_id)], ctx.settings.downloadLimit)
    if (!song) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
    return { song }
  }),
  on(catalogue.homePageGenres, async ({ ctx, sql }) => ({
    genres: await homeChips(sql, ctx.settings),
    default_genre_id: (await homeGenre(sql, ctx.settings))?.genre_id ?? null,
    song_count: await countSongs(sql, 0, catalogue.SECTIONS.songs),
    genre_count: (await genresWithSongs(sql, catalogue.SECTIONS.songs)).length,
    new_song_count: await countNewSongs(sql),
    lowest_price: (ctx.gateways.size > 0 && (await findLowestPrice(sql))) || null,
  })),
  on(catalogue.getGenresWithCount, async ({ input: asked, ctx, sql }) => {
    const input = await applyHiddenParts(ctx, asked)
    const counted = await genresWithCounts(sql, input.song_section_id)
    return ctx.settings.hidden.has('moods') ? { ...counted, moods: [] } : counted
  }),
  on(catalogue.getSongGenres, async ({ input: asked, ctx, sql }) => {
    const input = await applyHiddenParts(ctx, asked)
    return { genres: await genresWithSongs(sql, input.song_section_id) }
  }),
]
