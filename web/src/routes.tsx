import { createRootRoute, createRoute, createRouter, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { crateAddress, homeAddress, listAddress, pageAddress, searchAddress } from './catalogue/addresses.ts'
import { Home } from './catalogue/Home.tsx'
import { DIALOGS, history } from './platform/address.ts'
import { BrokenScreen } from './platform/errors.tsx'
import { oneOf, searchFields } from './platform/search-fields.ts'
import { NotFound } from './site/NotFound.tsx'
import { Shell } from './site/Shell.tsx'

const root = createRootRoute({
  component: Shell,
  validateSearch: searchFields({ dialog: oneOf(DIALOGS) }),
})

/** A number in a path. An address with something else there leads nowhere. */
function whole(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 1) throw notFound()
  return number
}

/**
 * A screen whose code is fetched when somebody goes there. The router would load the whole page again when that fails,
 * which ends the music, and offline the page itself; said in other words, the failure reaches BrokenScreen.
 */
const screen: typeof lazyRouteComponent = (fetchCode, name) =>
  lazyRouteComponent(
    () =>
      fetchCode().catch((cause) => {
        throw new Error('The code of this screen could not be fetched.', { cause })
      }),
    name,
  )

const home = createRoute({ getParentRoute: () => root, path: '/', validateSearch: homeAddress, component: Home })

const newReleases = createRoute({
  getParentRoute: () => root,
  path: '/newRelease',
  validateSearch: listAddress,
  component: screen(() => import('./catalogue/NewReleases.tsx'), 'NewReleases'),
})

const genres = createRoute({
  getParentRoute: () => root,
  path: '/genres/index',
  component: screen(() => import('./catalogue/GenresIndex.tsx'), 'GenresIndex'),
})

const genre = createRoute({
  getParentRoute: () => root,
  path: '/genres/view/$genreId',
  params: {
    parse: ({ genreId }) => ({ genreId: whole(genreId) }),
    stringify: ({ genreId }) => ({ genreId: String(genreId) }),
  },
  validateSearch: listAddress,
  component: screen(() => import('./catalogue/GenreView.tsx'), 'GenreView'),
})

const spotlight = createRoute({
  getParentRoute: () => root,
  path: '/spotlight/view/$listId',
  params: {
    parse: ({ listId }) => ({ listId: whole(listId) }),
    stringify: ({ listId }) => ({ listId: String(listId) }),
  },
  validateSearch: pageAddress,
  component: screen(() => import('./catalogue/SpotlightView.tsx'), 'SpotlightView'),
})

const top20 = createRoute({
  getParentRoute: () => root,
  path: '/top20/songs/$trackId',
  params: {
    parse: ({ trackId }) => ({ trackId: whole(trackId) }),
    stringify: ({ trackId }) => ({ trackId: String(trackId) }),
  },
  validateSearch: pageAddress,
  component: screen(() => import('./catalogue/Top20View.tsx'), 'Top20View'),
})

const song = createRoute({
  getParentRoute: () => root,
  path: '/song/$entityId',
  params: {
    parse: ({ entityId }) => ({ entityId: whole(entityId) }),
    stringify: ({ entityId }) => ({ entityId: String(entityId) }),
  },
  component: screen(() => import('./catalogue/SongView.tsx'), 'SongView'),
})

const search = createRoute({
  getParentRoute: () => root,
  path: '/search/result/{-$term}',
  validateSearch: searchAddress,
  component: screen(() => import('./catalogue/SearchResults.tsx'), 'SearchResults'),
})

const crate = createRoute({
  getParentRoute: () => root,
  path: '/crate',
  validateSearch: crateAddress,
  component: screen(() => import('./library/Crate.tsx'), 'Crate'),
})

const favourites = createRoute({
  getParentRoute: () => root,
  path: '/favourite-songs',
  validateSearch: pageAddress,
  component: screen(() => import('./library/Favourites.tsx'), 'Favourites'),
})

const plans = createRoute({
  getParentRoute: () => root,
  path: '/subscription/plans',
  component: screen(() => import('./downloads/PlanNeeded.tsx'), 'PlanNeeded'),
})

const logout = createRoute({
  getParentRoute: () => root,
  path: '/logout',
  component: screen(() => import('./membership/Logout.tsx'), 'Logout'),
})

/** Plain words in the address: `?page=2&key=8A`, without the quotes of JSON. */
const parseSearch = (search: string) => Object.fromEntries(new URLSearchParams(search))

function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (value != null && value !== '') params.set(name, String(value))
  return params.size ? `?${params}` : ''
}

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    newReleases,
    genres,
    genre,
    spotlight,
    top20,
    song,
    search,
    crate,
    favourites,
    plans,
    logout,
  ]),
  history,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: BrokenScreen,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
