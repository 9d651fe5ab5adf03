import { defineModule } from '../module.ts'
import { startAnalysisLoop } from './analysis-loop.ts'
import { sweepUsage } from './analysis-usage.ts'
import { expireSongs, remindUploaders } from './expiry.ts'
import { serveFileMedia } from './file-media.ts'
import { uploadsData } from './own-data.ts'
import { sweepRemovedFiles } from './removed-files.ts'
import { serveResumable, sweepUnfinishedUploads } from './resumable.ts'
import { uploadsRoutes } from './routes.ts'
import { serveUploadMedia } from './upload-media.ts'
import { serveUploadWatch } from './upload-stream.ts'
import { compareNewVersions } from './version-comparisons.ts'

export const uploads = defineModule({
  name: 'uploads',
  tables: ['analysis_usage', 'upload', 'upload_duplicate', 'upload_song', 'upload_version', 'upload_review'],
  routes: uploadsRoutes,
  http: (app, ctx) => {
    serveResumable(app, ctx)
    serveUploadMedia(app, ctx)
    serveFileMedia(app, ctx)
    serveUploadWatch(app, ctx)
  },
  jobs: [
    {
      task: 'take_in_uploads',
      schedule: { times: '* * * * *', about: 'Deletes abandoned uploads.' },
      run: (ctx) => sweepUnfinishedUploads(ctx),
    },
    {
      task: 'compare_versions',
      schedule: { times: '* * * * *', about: 'Compares Clean and Dirty versions whose files are new.' },
      run: (ctx, { signal }) => compareNewVersions(ctx, signal),
    },
    {
      task: 'expire_songs',
      schedule: { times: '* * * * *', about: 'Unpublishes expired songs and sends expiry reminders.' },
      run: async (ctx) => {
        while (await expireSongs(ctx));
        while (await remindUploaders(ctx));
      },
    },
  ],
  loops: [startAnalysisLoop],
  sweeps: [sweepRemovedFiles, ({ sql }) => sweepUsage(sql)],
  ownData: uploadsData,
})
