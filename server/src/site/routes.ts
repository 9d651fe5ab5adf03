import { site } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on, requireSection } from '../membership/caller.ts'
import { EXTERNAL_SIGN_IN_PATH } from '../membership/external-sign-in.ts'
import type { Call } from '../platform/serve.ts'
import { hideAnnouncement, listAnnouncementsFor } from './announcements.ts'
import { toBranding } from './branding.ts'
import { listDemoMembers } from './demo-members.ts'
import { listOpenings } from './job-openings.ts'
import { listProducts, storeUrl } from './merchandise.ts'
import { getNewsPage } from './news.ts'
import { getPage } from './pages.ts'

export const siteRoutes = ({ sql, config, settings }: AppContext): Call<Caller>[] => [
  on(site.getAnnouncements, async ({ input, caller }) => ({
    announcements: await listAnnouncementsFor(sql, input.page_name, caller),
  })),
  on(site.hideAnnouncement, async ({ input, caller }) => {
    await hideAnnouncement(sql, input.message_id, caller)
    return {}
  }),
  on(site.getNews, async ({ input, caller }) => getNewsPage(sql, caller, input.page)),
  on(site.getProducts, async () => ({
    products: settings.hidden.has('merchandise') ? [] : await listProducts(sql, config.store),
    store_url: await storeUrl(sql, { config, settings }),
  })),
  on(site.getPage, async ({ input }) => {
    if (input.slug === 'careers') requireSection(settings, 'careers')
    return getPage(sql, input.slug)
  }),
  on(site.getOpenings, async () => ({ openings: await listOpenings(sql) })),
  on(site.getPool, async () => ({
    name: settings.poolName,
    ...toBranding(settings),
    upload_days: settings.uploadDays,
    public_browsing: settings.publicBrowsing,
    download_limit: settings.downloadLimit,
    can_send_email: config.smtpUrl !== undefined,
    sign_in_elsewhere: config.oidc ? { name: config.oidc.name, url: EXTERNAL_SIGN_IN_PATH } : null,
    demo_members: await listDemoMembers(sql),
  })),
]
