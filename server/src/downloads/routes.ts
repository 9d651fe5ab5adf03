import { downloads } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { crateContents, makeBundle, remainingContents, songContents } from './bundles.ts'
import { downloadsUsed } from './grants.ts'
import { downloadHistory } from './history.ts'
import { downloadVersion } from './versions.ts'

/** Every zip is laid out with all its covers when it is made. */
const A_BUNDLE = { perMinute: 12 }

export const downloadsRoutes = (world: World): Call<Asker>[] => [
  on(downloads.downloadVersion, async ({ input, member }) => downloadVersion(world, member, input.version)),
  on(
    downloads.downloadSongBundle,
    async ({ input, member }) => {
      return makeBundle(world, member, await songContents(world.sql, input.entity_id, member))
    },
    A_BUNDLE,
  ),
  on(
    downloads.downloadCrateBundle,
    async ({ input, member }) => {
      const { customer_id } = member
      return makeBundle(
        world,
        member,
        input.continue_from === undefined
          ? await crateContents(world, customer_id, input.genre_id)
          : await remainingContents(world.sql, customer_id, input.continue_from),
      )
    },
    A_BUNDLE,
  ),
  on(downloads.customerDownloads, async ({ member }) => ({
    downloads: await downloadsUsed(world.sql, member.customer_id),
    limit: world.settings.downloadLimit,
  })),
  on(downloads.downloadRescue, async ({ input, member }) =>
    downloadHistory(world.sql, member.customer_id, input, world.settings),
  ),
]
