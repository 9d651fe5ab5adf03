import { downloads, type ParsedInputOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { titleWithVersion } from '../catalogue/file-names.ts'
import { type Caller, on, type Route } from '../membership/caller.ts'
import type { ModuleHooks } from '../module.ts'
import type { Sql } from '../platform/db.ts'
import { type BundleContents, countOwned } from './bundle-versions.ts'
import { createBundle, createLibraryFiles, prepareBundle, remainingContents, songContents } from './bundles.ts'
import { crateContents, summariseDownload } from './crate.ts'
import { downloadsUsed } from './grants.ts'
import { downloadHistory } from './history.ts'
import { kitContents, kitVersions } from './kit-contents.ts'
import { type LeftOut, leaveOutOf } from './left-out.ts'
import { findPlanLimits, requireCrateBundles, requireTop20Pack } from './plan-limits.ts'
import { checkDownload, downloadVersion } from './versions.ts'

/** Creating a zip computes its whole layout, with all covers. */
const BUNDLE_RATE_LIMIT = { perMinute: 12 }

/** The browser asks once a second. */
const PREPARE_RATE_LIMIT = { perMinute: 120 }

type PrepareInput = ParsedInputOf<typeof downloads.prepareDownload>

/** The versions that a download with this input would contain. */
async function contentsOf(ctx: AppContext, member: Caller, input: PrepareInput): Promise<BundleContents> {
  const { sql } = ctx
  if (input.versions) return { title: '', versionIds: [...new Set(input.versions)] }
  if (input.entity_id !== undefined) return songContents(sql, input.entity_id, member)
  if (input.kit) return kitVersions(ctx, member, input.kit)
  if (input.continue_from !== undefined) return remainingContents(sql, member.customer_id, input.continue_from)
  return crateContents(ctx, member.customer_id, { genre_id: input.genre_id })
}

export function downloadsRoutes({ libraryVersions }: ModuleHooks): Route[] {
  const leaveOut = (sql: Sql, { customer_id }: Caller, input: LeftOut) =>
    leaveOutOf({ sql, customer_id, libraryVersions }, input)
  return [
    on(downloads.downloadVersion, async ({ input, member, ctx }) => downloadVersion(ctx, member, input)),
    on(
      downloads.downloadSongBundle,
      async ({ input, member, ctx, sql }) => {
        const contents = await songContents(sql, input.entity_id, member)
        const versionIds = await leaveOut(sql, member, input)(contents.versionIds)
        return createBundle(ctx, member, { ...contents, versionIds, format: input.format })
      },
      BUNDLE_RATE_LIMIT,
    ),
    on(
      downloads.downloadCrateBundle,
      async ({ input, member, ctx, sql }) => {
        const { customer_id } = member
        if (input.continue_from !== undefined)
          return createBundle(ctx, member, await remainingContents(sql, customer_id, input.continue_from))
        requireCrateBundles(await findPlanLimits(ctx, member))
        const { genre_id, format } = input
        const contents = await crateContents(ctx, customer_id, { genre_id, leaveOut: leaveOut(sql, member, input) })
        return createBundle(ctx, member, { ...contents, format })
      },
      BUNDLE_RATE_LIMIT,
    ),
    on(
      downloads.prepareDownload,
      async ({ input, member, ctx, sql }) => {
        const { format } = input
        const contents = { ...(await contentsOf(ctx, member, input)), format }
        const versionIds = await leaveOut(sql, member, input)(contents.versionIds)
        const { ready, files, progress, failed } = await prepareBundle(ctx, member, { ...contents, versionIds })
        const names = failed.map(({ song_version_id, title, version_label }) => ({
          song_version_id,
          title: titleWithVersion(title, version_label),
        }))
        return { ready, files, progress, failed: names, is_ready: ready + failed.length === files }
      },
      PREPARE_RATE_LIMIT,
    ),
    on(downloads.crateSummary, async ({ input, member, ctx }) =>
      summariseDownload(ctx, member, input, libraryVersions),
    ),
    on(downloads.songSummary, async ({ input, member, ctx }) => summariseDownload(ctx, member, input, libraryVersions)),
    on(downloads.collectionSummary, async ({ input, member, ctx }) =>
      summariseDownload(ctx, member, input, libraryVersions),
    ),
    on(downloads.checkDownload, async ({ input, member, ctx }) => checkDownload(ctx, member, input.version)),
    on(
      downloads.downloadCollectionBundle,
      async ({ input, member, ctx, sql }) => {
        const all = [...new Set(input.versions)]
        const limits = await findPlanLimits(ctx, member)
        if (input.top20_id === undefined) requireCrateBundles(limits)
        else await requireTop20Pack(sql, { top20_id: input.top20_id, versionIds: all }, limits)
        const versionIds = await leaveOut(sql, member, input)(all)
        return createBundle(ctx, member, { title: input.title, versionIds, format: input.format })
      },
      BUNDLE_RATE_LIMIT,
    ),
    on(
      downloads.downloadBoothKit,
      async ({ input, member, ctx, sql }) => {
        const contents = await kitContents(ctx, member, input, leaveOut(sql, member, input))
        const bundle = await (input.with_audio ? createBundle : createLibraryFiles)(ctx, member, contents)
        return { ...bundle, file_name: bundle.zip }
      },
      BUNDLE_RATE_LIMIT,
    ),
    on(downloads.kitSummary, async ({ input, member, ctx, sql }) => {
      const { versionIds } = await kitVersions(ctx, member, input)
      const { top20_id } = input.source
      const summary = await summariseDownload(ctx, member, { versions: versionIds, top20_id }, libraryVersions)
      return { ...summary, owned: await countOwned(sql, member, versionIds) }
    }),
    on(downloads.customerDownloads, async ({ member, ctx, sql }) => {
      const { limit } = await findPlanLimits(ctx, member)
      return {
        downloads: await downloadsUsed(sql, member.customer_id),
        limit,
        conversions: [...ctx.settings.conversions],
      }
    }),
    on(downloads.downloadRescue, async ({ input, member, ctx, sql }) =>
      downloadHistory(sql, member.customer_id, input, {
        rescueDays: ctx.settings.rescueDays,
        downloadLimit: (await findPlanLimits(ctx, member)).limit,
      }),
    ),
  ]
}
