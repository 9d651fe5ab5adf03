import { site } from '@dubplate/contract'
import { listProviders } from '../cloud-delivery/providers.ts'
import { on, type Route, requireSection } from '../membership/caller.ts'
import { EXTERNAL_SIGN_IN_PATH } from '../membership/external-sign-in.ts'
import { hideAnnouncement, listAnnouncementsFor } from './announcements.ts'
import { toBranding } from './branding.ts'
import { listDemoMembers } from './demo-members.ts'
import { listOpenings } from './job-openings.ts'
import { listProducts, storeUrl } from './merchandise.ts'
import { getNewsPage } from './news.ts'
import { getPage } from './pages.ts'

export const siteRoutes: Route[] = [
  on(site.getAnnouncements, async ({ input, caller, sql }) => ({
    announcements: await listAnnouncementsFor(sql, input.page_name, caller),
  })),
  on(site.hideAnnouncement, async ({ input, caller, sql }) => {
    await hideAnnouncement(sql, input.message_id, caller)
    return {}
  }),
  on(site.getNews, async ({ input, caller, sql }) => getNewsPage(sql, caller, input.page)),
  on(site.getProducts, async ({ ctx, sql }) => ({
    products: ctx.settings.hidden.has('merchandise') ? [] : await listProducts(sql, ctx.config.store),
    store_url: await storeUrl(sql, ctx),
  })),
  on(site.getPage, async ({ input, ctx, sql }) => {
    if (input.slug === 'careers') requireSection(ctx.settings, 'careers')
    return getPage(sql, input.slug)
  }),
  on(site.getOpenings, async ({ sql }) => ({ openings: await listOpenings(sql) })),
  on(site.getPool, async ({ ctx, sql }) => ({
    name: ctx.settings.poolName,
    ...toBranding(ctx.settings),
    upload_days: ctx.settings.uploadDays,
    public_browsing: ctx.settings.publicBrowsing,
    download_limit: ctx.settings.downloadLimit,
    can_send_email: ctx.config.smtpUrl !== undefined,
    cloud_providers: listProviders(ctx),
    sign_in_elsewhere: ctx.config.oidc ? { name: ctx.config.oidc.name, url: EXTERNAL_SIGN_IN_PATH } : null,
    demo_members: await listDemoMembers(sql),
  })),
]
