import { savedSearches } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { changeSearch, listSearches, markSeen, removeSearch, saveSearch } from './saved-searches.ts'

export const savedSearchRoutes = (world: World): Call<Asker>[] => [
  on(savedSearches.getSearches, async ({ member }) => {
    const kept = await listSearches(world, member.customer_id)
    // A feed's address lets in whoever has it, and never ends: staff who only look are not told it.
    const isLooking = member.purpose === 'viewer'
    return { searches: isLooking ? kept.map((search) => ({ ...search, feed_url: '' })) : kept }
  }),
  on(savedSearches.saveSearch, async ({ input, member }) => ({
    search: await saveSearch(world, member.customer_id, input),
  })),
  on(savedSearches.changeSearch, async ({ input, member }) => ({
    search: await changeSearch(world, member.customer_id, input),
  })),
  on(savedSearches.markSeen, async ({ input, member }) =>
    markSeen(world.sql, member.customer_id, input.saved_search_id),
  ),
  on(savedSearches.removeSearch, async ({ input, member }) => {
    await removeSearch(world.sql, member.customer_id, input.saved_search_id)
    return {}
  }),
]
