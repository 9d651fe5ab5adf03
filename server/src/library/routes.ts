import { library } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { clearCrate, crateIds, cratePage, toggleCrate } from './crate.ts'
import { favouriteIds, favouritePage, toggleFavourite } from './favourites.ts'

export const libraryRoutes = ({ sql, config }: World): Call<Asker>[] => [
  on(library.crateAddRemove, async ({ input, member }) => toggleCrate(sql, member.customer_id, input)),
  on(library.getCrates, async ({ member }) => crateIds(sql, member.customer_id)),
  on(library.crateIndex, async ({ input, member }) => cratePage(sql, member.customer_id, input, config.downloadLimit)),
  on(library.clearCrates, async ({ member }) => ({ cleared: await clearCrate(sql, member.customer_id) })),
  on(library.favouriteAddRemove, async ({ input, member }) => ({
    favourite: await toggleFavourite(sql, member.customer_id, input.songId),
  })),
  on(library.favouriteIndex, async ({ input, member }) =>
    favouritePage(sql, member.customer_id, input.page, config.downloadLimit),
  ),
  on(library.getFavouriteSongs, async ({ member }) => ({
    favouriteSongs: await favouriteIds(sql, member.customer_id),
  })),
]
