import { createRouter } from '@tanstack/react-router'
import { history } from './platform/address.ts'
import { BrokenScreen } from './platform/ErrorState.tsx'
import { accountRoutes } from './routes/account.ts'
import { listeningRoutes } from './routes/listening.ts'
import { payingRoutes } from './routes/paying.ts'
import { root } from './routes/routeHelpers.ts'
import { siteRoutes } from './routes/site.ts'
import { staffRoutes } from './routes/staff.ts'
import { lazyOnDemand } from './ui/lazyOnDemand.tsx'

const NotFound = lazyOnDemand(() => import('./site/NotFound.tsx').then(({ NotFound }) => NotFound))

/** Plain search parameters: `?page=2&key=8A`, without the quotes of JSON. */
const parseSearch = (search: string) => Object.fromEntries(new URLSearchParams(search))

function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value != null && value !== '') params.set(name, String(value))
  return params.size ? `?${params}` : ''
}

/**
 * The page has one router; each component test creates its own, so that none sees an unfinished navigation of another.
 */
export const createAppRouter = () =>
  createRouter({
    routeTree: root.addChildren([...listeningRoutes, ...siteRoutes, ...payingRoutes, ...staffRoutes, ...accountRoutes]),
    history,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: () => <NotFound />,
    defaultErrorComponent: BrokenScreen,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  interface StaticDataRouteOption {
    /** Whether the right column is shown with this screen. */
    hasSidebar?: boolean
    /** Whether it covers the navigation, the header and the player. */
    isFullScreen?: boolean
  }
}
