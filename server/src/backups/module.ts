import { defineModule } from '../module.ts'
import { runQueuedBackup } from './backup-jobs.ts'
import { storageRoutes } from './routes.ts'
import { queueScheduledBackup } from './schedule.ts'
import { scrubFiles } from './scrub.ts'
import { measureStorage } from './storage-usage.ts'

export const backups = defineModule({
  name: 'backups',
  tables: ['storage_usage', 'storage_scrub', 'backup', 'pool_check', 'restore_rehearsal'],
  routes: storageRoutes,
  jobs: [
    {
      task: 'schedule_backup',
      schedule: { times: '*/10 * * * *', about: 'Starts the daily backup when it is due.' },
      run: (ctx) => queueScheduledBackup(ctx),
    },
    { task: 'back_up', run: (ctx, { pool, ...call }) => runQueuedBackup(ctx, pool, call) },
    {
      task: 'scrub_files',
      schedule: { times: '0 2 * * *', about: 'Verifies some of the stored files against their checksums.' },
      run: (ctx, { signal }) => scrubFiles(ctx, signal),
    },
    {
      task: 'measure_storage',
      schedule: { times: '40 3 * * *', about: 'Measures storage and database size.' },
      run: (ctx) => measureStorage(ctx),
    },
  ],
})
