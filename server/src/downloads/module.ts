import { startRollUps } from '../catalogue/song-counts.ts'
import { defineModule } from '../module.ts'
import { sweepBundles } from './bundles.ts'
import { rollUpDownloads } from './chart-outbox.ts'
import { startConversionLoop } from './conversion-loop.ts'
import { serveFiles } from './files.ts'
import { downloadsData } from './own-data.ts'
import { downloadsRoutes } from './routes.ts'
import { serveBundles } from './send-bundle.ts'
import { sweepTaggedCopies } from './tagged-copies.ts'
import { serveTransferReports, sweepTransferReports } from './transfer-reports.ts'
import { closeSentTransfers, sweepTransfers } from './transfers.ts'

export const downloads = defineModule({
  name: 'downloads',
  tables: [
    'download_grant',
    'download',
    'download_outbox',
    'download_transfer',
    'download_link',
    'transfer_report',
    'bundle',
  ],
  routes: downloadsRoutes,
  http: (app, ctx) => {
    serveFiles(app, ctx)
    serveBundles(app, ctx)
    serveTransferReports(app, ctx)
  },
  jobs: [
    {
      task: 'close_sent_downloads',
      schedule: { times: '*/5 * * * *', about: 'Completes downloads that were sent in several parts.' },
      run: (ctx) => closeSentTransfers(ctx),
    },
  ],
  loops: [(ctx) => startRollUps(ctx, rollUpDownloads), startConversionLoop],
  sweeps: [
    ({ sql }) => sweepBundles(sql),
    (ctx) => sweepTransferReports(ctx),
    ({ sql }) => sweepTransfers(sql),
    (ctx) => sweepTaggedCopies(ctx),
  ],
  ownData: downloadsData,
})
