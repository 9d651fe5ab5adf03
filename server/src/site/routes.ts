import { site } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { announcementsFor, hideAnnouncement } from './announcements.ts'
import { demoMembers, storeUrl } from './demo-members.ts'
import { listProducts } from './merchandise.ts'
import { newsPage } from './news.ts'

export const siteRoutes = ({ sql, config }: World): Call<Asker>[] => [
  on(site.getAnnouncements, async ({ input, asker }) => ({
    announcements: await announcementsFor(sql, input.page_name, asker?.customer_id),
  })),
  on(site.hideAnnouncement, async ({ input, asker }) => {
    await hideAnnouncement(sql, input.message_id, asker?.customer_id)
    return {}
  }),
  on(site.getNews, async ({ input }) => newsPage(sql, input.page)),
  on(site.getProducts, async () => {
    const [products, store_url] = await Promise.all([listProducts(sql), storeUrl(sql, config.storeUrl)])
    return { products, store_url }
  }),
  on(site.getPool, async () => ({
    name: config.poolName,
    public_browsing: config.publicBrowsing,
    download_limit: config.downloadLimit,
    demo_members: await demoMembers(sql),
  })),
]
