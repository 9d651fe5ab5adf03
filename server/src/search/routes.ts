import { catalogue } from '@dubplate/contract'
import { applyHiddenParts } from '../catalogue/hidden-parts.ts'
import { on, type Route } from '../membership/caller.ts'
import { filterOptions } from './filter-options.ts'
import { runSearchCall } from './search-call.ts'
import { similarSongs } from './similar.ts'
import { suggest } from './suggest.ts'

export const searchRoutes: Route[] = [
  on(catalogue.searchSongs, async ({ input, caller, ctx, sql }) =>
    runSearchCall(sql, await applyHiddenParts(ctx, input), caller, ctx.settings),
  ),
  on(catalogue.getFilterOptions, async ({ input, caller, ctx, sql }) =>
    filterOptions(sql, await applyHiddenParts(ctx, input), caller),
  ),
  on(catalogue.suggestSearch, async ({ input, ctx, sql }) => {
    const { song_section_id } = await applyHiddenParts(ctx, { song_section_id: input.song_section_id })
    return suggest(sql, input.text, song_section_id, ctx.settings)
  }),
  on(catalogue.getSimilarSongs, async ({ input, sql, ctx }) => ({
    songs: await similarSongs(sql, input.entity_id, ctx.settings.downloadLimit),
  })),
]
