import type { Software } from '@dubplate/contract'
import { createRoute, notFound } from '@tanstack/react-router'
import { booleanFlag, oneOf, searchFields } from '../platform/search-fields.ts'
import { lazyScreen, root } from './routeHelpers.ts'

/** Pages about the pool, written by staff. */
const terms = createRoute({ getParentRoute: () => root, path: '/terms', component: lazyScreen('Terms') })
const privacy = createRoute({ getParentRoute: () => root, path: '/privacy', component: lazyScreen('Privacy') })
const contact = createRoute({ getParentRoute: () => root, path: '/contact', component: lazyScreen('Contact') })
const careers = createRoute({ getParentRoute: () => root, path: '/career/listing', component: lazyScreen('Careers') })

/** How booth kits are imported into DJ software. */
const kitGuides = createRoute({ getParentRoute: () => root, path: '/dj-software', component: lazyScreen('KitGuides') })

/** Listed here, so that the names of kits' files are not part of the first visit. */
const SOFTWARE: readonly Software[] = ['rekordbox', 'serato', 'traktor', 'virtualdj', 'mixxx', 'engine']

function knownSoftware(name: string): Software {
  const software = SOFTWARE.find((each) => each === name)
  if (!software) throw notFound()
  return software
}

const kitGuide = createRoute({
  getParentRoute: () => root,
  path: '/dj-software/$software',
  params: {
    parse: ({ software }) => ({ software: knownSoftware(software) }),
    stringify: ({ software }) => ({ software }),
  },
  validateSearch: searchFields({ system: oneOf(['windows', 'macos', 'linux'] as const) }),
  component: lazyScreen('KitGuide'),
})

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

/** Pages about the pool and about kits, and links in newsletters. */
export const siteRoutes = [
  terms,
  privacy,
  contact,
  careers,
  kitGuides,
  kitGuide,
  newsletterConfirm,
  newsletterLeave,
] as const
