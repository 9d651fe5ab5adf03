import { startRollUps } from '../catalogue/song-counts.ts'
import { defineModule } from '../module.ts'
import { sweepBundles } from './bundles.ts'
import { rollUpDownloads } from './chart-outbox.ts'
import { startConversionLoop } from './conversion-loop.ts'
import { serveFiles } from './files.ts'
import { downloadsData } from './own-data.ts'
import { downloadsRoutes } from './routes.ts'
import { serveBundles } from './send-bundle.ts'
import { closeSentTransfers, sweepTransfers } from './transfers.ts'

export const downloads = defineModule({
  name: 'downloads',
  tables: ['download_grant', 'download', 'download_outbox', 'download_transfer', 'download_link', 'bundle'],
  routes: downloadsRoutes,
  http: (app, ctx) => {
    serveFiles(app, ctx)
    serveBundles(app, ctx)
  },
  jobs: [
    {
      task: 'close_sent_downloads',
      schedule: { times: '*/5 * * * *', about: 'Completes downloads that were sent in several parts.' },
      run: (ctx) => closeSentTransfers(ctx),
    },
  ],
  loops: [(ctx) => startRollUps(ctx, rollUpDownloads), startConversionLoop],
  sweeps: [({ sql }) => sweepBundles(sql), ({ sql }) => sweepTransfers(sql)],
  ownData: downloadsData,
})
