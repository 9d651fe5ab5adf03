import { defineModule } from '../module.ts'
import { sweepConversions } from './conversions.ts'
import { findRestoredOriginals } from './originals.ts'
import { refreshPayloads } from './payload-refresh.ts'

export const media = defineModule({
  name: 'media',
  tables: [
    'file',
    'analysis',
    'peaks',
    'beat_grid',
    'beat_grid_correction',
    'preview',
    'fingerprint',
    'spectrum',
    'version_comparison',
    'conversion',
    'artwork',
    'reanalysis',
  ],
  sweeps: [sweepConversions],
  jobs: [
    {
      task: 'find_returned_files',
      schedule: { times: '*/5 * * * *', about: 'Rechecks missing and damaged files.' },
      run: (ctx) => findRestoredOriginals(ctx),
    },
    {
      task: 'renew_bodies',
      schedule: { times: '*/5 * * * *', about: 'Re-reads stored files when the tag rules have changed.' },
      run: (ctx, { signal }) => refreshPayloads(ctx, signal),
    },
  ],
})
