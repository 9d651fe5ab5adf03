import { downloads } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Call } from '../platform/serve.ts'
import { crateContents, createBundle, remainingContents, songContents } from './bundles.ts'
import { downloadsUsed } from './grants.ts'
import { downloadHistory } from './history.ts'
import { downloadVersion } from './versions.ts'

/** Creating a zip computes its whole layout, with all covers. */
const BUNDLE_RATE_LIMIT = { perMinute: 12 }

export const downloadsRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(downloads.downloadVersion, async ({ input, member }) => downloadVersion(ctx, member, input.version)),
  on(
    downloads.downloadSongBundle,
    async ({ input, member }) => {
      return createBundle(ctx, member, await songContents(ctx.sql, input.entity_id, member))
    },
    BUNDLE_RATE_LIMIT,
  ),
  on(
    downloads.downloadCrateBundle,
    async ({ input, member }) => {
      const { customer_id } = member
      return createBundle(
        ctx,
        member,
        input.continue_from === undefined
          ? await crateContents(ctx, customer_id, input.genre_id)
          : await remainingContents(ctx.sql, customer_id, input.continue_from),
      )
    },
    BUNDLE_RATE_LIMIT,
  ),
  on(downloads.customerDownloads, async ({ member }) => ({
    downloads: await downloadsUsed(ctx.sql, member.customer_id),
    limit: ctx.settings.downloadLimit,
  })),
  on(downloads.downloadRescue, async ({ input, member }) =>
    downloadHistory(ctx.sql, member.customer_id, input, ctx.settings),
  ),
]
