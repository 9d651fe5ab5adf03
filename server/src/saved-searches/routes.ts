import { savedSearches } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { fillCrateNow } from './crate-filling.ts'
import { changeSearch, listSearches, markSearchSeen, removeSearch, saveSearch } from './saved-searches.ts'

export const savedSearchRoutes: Route[] = [
  on(savedSearches.getSearches, async ({ member, ctx }) => {
    const searches = await listSearches(ctx, member.customer_id)
    // A feed's URL gives permanent access to anyone: it is not shown to staff who view as the member.
    const isViewer = member.purpose === 'viewer'
    return { searches: isViewer ? searches.map((search) => ({ ...search, feed_url: '' })) : searches }
  }),
  on(savedSearches.saveSearch, async ({ input, member, ctx }) => ({
    search: await saveSearch(ctx, member.customer_id, input),
  })),
  on(savedSearches.changeSearch, async ({ input, member, ctx }) => ({
    search: await changeSearch(ctx, member.customer_id, input),
  })),
  on(savedSearches.fillCrate, async ({ input, member, ctx }) =>
    fillCrateNow(ctx.sql, member.customer_id, input.saved_search_id),
  ),
  on(savedSearches.markSeen, async ({ input, member, sql }) =>
    markSearchSeen(sql, member.customer_id, input.saved_search_id),
  ),
  on(savedSearches.removeSearch, async ({ input, member, sql }) => {
    await removeSearch(sql, member.customer_id, input.saved_search_id)
    return {}
  }),
]
