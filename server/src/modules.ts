import { analysis } from './analysis/module.ts'
import { audioFiles } from './audio-files/module.ts'
import { backups } from './backups/module.ts'
import { billing } from './billing/module.ts'
import { books } from './books/module.ts'
import { booth } from './booth/module.ts'
import { catalogue } from './catalogue/module.ts'
import { charts } from './charts/module.ts'
import { cloudDelivery } from './cloud-delivery/module.ts'
import { collections } from './collections/module.ts'
import { curation } from './curation/module.ts'
import { dashboard } from './dashboard/module.ts'
import { demoPool } from './demo-pool/module.ts'
import { digging } from './digging/module.ts'
import { downloads } from './downloads/module.ts'
import { gateways } from './gateways/module.ts'
import { helpdesk } from './helpdesk/module.ts'
import { imports } from './imports/module.ts'
import { library } from './library/module.ts'
import { media } from './media/module.ts'
import { membership } from './membership/module.ts'
import type { Module, ModuleHooks, ModuleJob } from './module.ts'
import { newsletter } from './newsletter/module.ts'
import { notices } from './notices/module.ts'
import { libraryVersions } from './own-library/libraries.ts'
import { ownLibrary } from './own-library/module.ts'
import { platform } from './platform/module.ts'
import { player } from './player/module.ts'
import { savedSearches } from './saved-searches/module.ts'
import { search } from './search/module.ts'
import { songFiltering } from './search/song-filter.ts'
import { sharing } from './sharing/module.ts'
import { site } from './site/module.ts'
import { songDetails } from './song-details/module.ts'
import { staff } from './staff/module.ts'
import { uploads } from './uploads/module.ts'

/** All modules. Each may import those before it, and read their tables. */
export const modules: readonly Module[] = [
  platform,
  audioFiles,
  analysis,
  media,
  membership,
  notices,
  gateways,
  billing,
  books,
  catalogue,
  charts,
  curation,
  collections,
  library,
  player,
  booth,
  downloads,
  cloudDelivery,
  imports,
  ownLibrary,
  search,
  songDetails,
  uploads,
  newsletter,
  savedSearches,
  digging,
  helpdesk,
  site,
  sharing,
  staff,
  backups,
  dashboard,
  demoPool,
]

/** Modules only delete their own rows, so the order does not matter. */
const sweep: ModuleJob = {
  task: 'sweep',
  schedule: { times: '30 3 * * *', about: 'Deletes expired sessions, links and old emails.' },
  run: async (ctx) => {
    for (const { sweeps = [] } of modules) for (const sweep of sweeps) await sweep(ctx)
  },
}

export const jobs: readonly ModuleJob[] = [...modules.flatMap((module) => module.jobs ?? []), sweep]

export const moduleHooks: ModuleHooks = {
  ownData: modules.flatMap((module) => module.ownData ?? []),
  songFiltering,
  libraryVersions,
  scheduledJobs: jobs.flatMap(({ task, schedule }) => (schedule ? [{ task, ...schedule }] : [])),
  deletePicture: async (ctx, sha256) => {
    for (const module of modules) await module.deletePicture?.(ctx, sha256)
  },
  findCoverText: async (ctx, of, id) => {
    for (const module of modules) {
      const text = await module.findCoverText?.(ctx, of, id)
      if (text) return text
    }
    return undefined
  },
  cancelPayments: async (ctx, customerId) => {
    for (const module of modules) await module.cancelPayments?.(ctx, customerId)
  },
}
