import { createRoute } from '@tanstack/react-router'
import { booleanFlag, searchFields } from '../platform/search-fields.ts'
import { lazyScreen, root } from './routeHelpers.ts'

/** Pages about the pool, written by staff. */
const terms = createRoute({ getParentRoute: () => root, path: '/terms', component: lazyScreen('Terms') })
const privacy = createRoute({ getParentRoute: () => root, path: '/privacy', component: lazyScreen('Privacy') })
const contact = createRoute({ getParentRoute: () => root, path: '/contact', component: lazyScreen('Contact') })
const careers = createRoute({ getParentRoute: () => root, path: '/career/listing', component: lazyScreen('Careers') })

/** The links in newsletters. */
const newsletterConfirm = createRoute({
  getParentRoute: () => root,
  path: '/newsletter/confirm/$token',
  component: lazyScreen('NewsletterConfirm'),
})

const newsletterLeave = createRoute({
  getParentRoute: () => root,
  path: '/newsletter/leave/$token',
  validateSearch: searchFields({ again: booleanFlag }),
  component: lazyScreen('NewsletterLeave'),
})

/** Pages about the pool, and links in its newsletters. */
export const siteRoutes = [terms, privacy, contact, careers, newsletterConfirm, newsletterLeave] as const
