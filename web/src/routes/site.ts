import { createRoute } from '@tanstack/react-router'
import { flag, searchFields } from '../platform/search-fields.ts'
import { otherScreen, root } from './parts.ts'

/** What staff write about the pool. */
const terms = createRoute({ getParentRoute: () => root, path: '/terms', component: otherScreen('Terms') })
const privacy = createRoute({ getParentRoute: () => root, path: '/privacy', component: otherScreen('Privacy') })
const contact = createRoute({ getParentRoute: () => root, path: '/contact', component: otherScreen('Contact') })
const careers = createRoute({ getParentRoute: () => root, path: '/career/listing', component: otherScreen('Careers') })

/** The links of newsletters. */
const newsletterConfirm = createRoute({
  getParentRoute: () => root,
  path: '/newsletter/confirm/$token',
  component: otherScreen('NewsletterConfirm'),
})

const newsletterLeave = createRoute({
  getParentRoute: () => root,
  path: '/newsletter/leave/$token',
  validateSearch: searchFields({ again: flag }),
  component: otherScreen('NewsletterLeave'),
})

/** What the pool says of itself, and links of its letters. */
export const siteRoutes = [terms, privacy, contact, careers, newsletterConfirm, newsletterLeave] as const
