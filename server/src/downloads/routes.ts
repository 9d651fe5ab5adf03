import { downloads } from '@dubplate/contract'
import { on, type Route } from '../membership/caller.ts'
import { createBundle, remainingContents, songContents } from './bundles.ts'
import { crateContents, summariseDownload, withoutDownloaded } from './crate.ts'
import { downloadsUsed } from './grants.ts'
import { downloadHistory } from './history.ts'
import { checkDownload, downloadVersion } from './versions.ts'

/** Creating a zip computes its whole layout, with all covers. */
const BUNDLE_RATE_LIMIT = { perMinute: 12 }

export const downloadsRoutes: Route[] = [
  on(downloads.downloadVersion, async ({ input, member, ctx }) => downloadVersion(ctx, member, input.version)),
  on(
    downloads.downloadSongBundle,
    async ({ input, member, ctx, sql }) => {
      const contents = await songContents(sql, input.entity_id, member)
      if (!input.skip_downloaded) return createBundle(ctx, member, contents)
      const versionIds = await withoutDownloaded(sql, member.customer_id, contents.versionIds)
      return createBundle(ctx, member, { ...contents, versionIds })
    },
    BUNDLE_RATE_LIMIT,
  ),
  on(
    downloads.downloadCrateBundle,
    async ({ input, member, ctx, sql }) => {
      const { customer_id } = member
      return createBundle(
        ctx,
        member,
        input.continue_from === undefined
          ? await crateContents(ctx, customer_id, input)
          : await remainingContents(sql, customer_id, input.continue_from),
      )
    },
    BUNDLE_RATE_LIMIT,
  ),
  on(downloads.crateSummary, async ({ input, member, ctx }) => summariseDownload(ctx, member, input)),
  on(downloads.songSummary, async ({ input, member, ctx }) => summariseDownload(ctx, member, input)),
  on(downloads.checkDownload, async ({ input, member, ctx }) => checkDownload(ctx, member, input.version)),
  on(
    downloads.downloadCollectionBundle,
    async ({ input, member, ctx }) =>
      createBundle(ctx, member, { title: input.title, versionIds: [...new Set(input.versions)] }),
    BUNDLE_RATE_LIMIT,
  ),
  on(downloads.customerDownloads, async ({ member, ctx, sql }) => ({
    downloads: await downloadsUsed(sql, member.customer_id),
    limit: ctx.settings.downloadLimit,
  })),
  on(downloads.downloadRescue, async ({ input, member, ctx, sql }) =>
    downloadHistory(sql, member.customer_id, input, ctx.settings),
  ),
]
