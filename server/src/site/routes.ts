import { site } from '@dubplate/contract'
import { type Asker, admitSection, on } from '../membership/asker.ts'
import { OUTSIDE_SIGN_IN } from '../membership/outside-sign-in.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { announcementsFor, hideAnnouncement } from './announcements.ts'
import { demoMembers } from './demo-members.ts'
import { looksOf } from './looks.ts'
import { listProducts, storeUrl } from './merchandise.ts'
import { newsPage } from './news.ts'
import { listOpenings } from './openings.ts'
import { readPage } from './pages.ts'

export const siteRoutes = ({ sql, config, settings }: World): Call<Asker>[] => [
  on(site.getAnnouncements, async ({ input, asker }) => ({
    announcements: await announcementsFor(sql, input.page_name, asker),
  })),
  on(site.hideAnnouncement, async ({ input, asker }) => {
    await hideAnnouncement(sql, input.message_id, asker)
    return {}
  }),
  on(site.getNews, async ({ input, asker }) => newsPage(sql, asker, input.page)),
  on(site.getProducts, async () => ({
    products: settings.hidden.has('merchandise') ? [] : await listProducts(sql, config.store),
    store_url: await storeUrl(sql, { config, settings }),
  })),
  on(site.getPage, async ({ input }) => {
    if (input.slug === 'careers') admitSection(settings, 'careers')
    return readPage(sql, input.slug)
  }),
  on(site.getOpenings, async () => ({ openings: await listOpenings(sql) })),
  on(site.getPool, async () => ({
    name: settings.poolName,
    ...looksOf(settings),
    upload_days: settings.uploadDays,
    public_browsing: settings.publicBrowsing,
    download_limit: settings.downloadLimit,
    sends_mail: config.smtpUrl !== undefined,
    sign_in_elsewhere: config.oidc ? { name: config.oidc.name, url: OUTSIDE_SIGN_IN } : null,
    demo_members: await demoMembers(sql),
  })),
]
