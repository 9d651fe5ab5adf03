import { defineModule } from '../module.ts'
import { serveAuditFile } from './audit-file.ts'
import { beatGridRoutes } from './beat-grids.ts'
import { commerceRoutes } from './commerce.ts'
import { serveCommerceFiles } from './commerce-files.ts'
import { curationRoutes } from './curation.ts'
import { editingRoutes } from './editing.ts'
import { genreMaintenanceRoutes } from './genre-maintenance.ts'
import { importRoutes } from './imports.ts'
import { memberRoutes } from './members.ts'
import { staffData } from './notes.ts'
import { paymentRoutes } from './payments.ts'
import { qualityRoutes } from './quality.ts'
import { staffRoutes } from './routes.ts'
import { settingsRoutes } from './settings.ts'
import { songMaintenanceRoutes } from './song-maintenance.ts'
import { songRoutes } from './songs.ts'
import { supportRoutes } from './support.ts'
import { systemRoutes } from './system.ts'
import { uploadReviewRoutes } from './uploads.ts'

export const staff = defineModule({
  name: 'staff',
  tables: ['audit', 'staff_note'],
  routes: ({ scheduledJobs }) => [
    ...staffRoutes,
    ...paymentRoutes,
    ...commerceRoutes,
    ...uploadReviewRoutes,
    ...editingRoutes,
    ...supportRoutes,
    ...memberRoutes,
    ...systemRoutes(scheduledJobs),
    ...songMaintenanceRoutes,
    ...genreMaintenanceRoutes,
    ...importRoutes,
    ...settingsRoutes,
    ...songRoutes,
    ...beatGridRoutes,
    ...qualityRoutes,
    ...curationRoutes,
  ],
  http: (app, ctx) => {
    serveAuditFile(app, ctx)
    serveCommerceFiles(app, ctx)
  },
  ownData: staffData,
})
