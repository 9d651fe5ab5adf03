import { savedSearches } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { changeSearch, listSearches, markSearchSeen, removeSearch, saveSearch } from './saved-searches.ts'

export const savedSearchRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(savedSearches.getSearches, async ({ member }) => {
    const searches = await listSearches(ctx, member.customer_id)
    // A feed's URL gives permanent access to anyone: it is not shown to staff who view as the member.
    const isViewer = member.purpose === 'viewer'
    return { searches: isViewer ? searches.map((search) => ({ ...search, feed_url: '' })) : searches }
  }),
  on(savedSearches.saveSearch, async ({ input, member }) => ({
    search: await saveSearch(ctx, member.customer_id, input),
  })),
  on(savedSearches.changeSearch, async ({ input, member }) => ({
    search: await changeSearch(ctx, member.customer_id, input),
  })),
  on(savedSearches.markSeen, async ({ input, member }) =>
    markSearchSeen(ctx.sql, member.customer_id, input.saved_search_id),
  ),
  on(savedSearches.removeSearch, async ({ input, member }) => {
    await removeSearch(ctx.sql, member.customer_id, input.saved_search_id)
    return {}
  }),
]
