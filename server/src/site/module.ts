import { defineModule } from '../module.ts'
import { serveTheme } from './branding.ts'
import { serveLogo } from './logo.ts'
import { serveManifest } from './manifest.ts'
import { siteData } from './own-data.ts'
import { findProductCover } from './product-pictures.ts'
import { siteRoutes } from './routes.ts'
import { serveSitemap } from './sitemap.ts'
import { refreshStore } from './store-refresh.ts'

export const site = defineModule({
  name: 'site',
  tables: ['announcement', 'announcement_hidden', 'merchandise', 'store_sync', 'page', 'job_opening'],
  routes: siteRoutes,
  http: (app, ctx) => {
    serveManifest(app, ctx)
    serveSitemap(app, ctx)
    serveTheme(app, ctx)
    serveLogo(app, ctx)
  },
  jobs: [
    {
      task: 'refresh_store',
      schedule: { times: '*/10 * * * *', about: 'Syncs products from Shopify.', atStart: true },
      run: (ctx) => refreshStore(ctx),
    },
  ],
  ownData: siteData,
  findCoverText: ({ sql }, of, id) => findProductCover(sql, of, id),
})
