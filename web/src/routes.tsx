import { createRootRoute, createRoute, createRouter, lazyRouteComponent, notFound } from '@tanstack/react-router'
import {
  chartAddress,
  crateAddress,
  homeAddress,
  listAddress,
  pageAddress,
  searchAddress,
} from './catalogue/addresses.ts'
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

/** The one parameter of a path, as a number. */
const number = <Name extends string>(name: Name) => ({
  parse: (params: Record<Name, string>) => ({ [name]: whole(params[name]) }) as Record<Name, number>,
  stringify: (params: Record<Name, number>) => ({ [name]: String(params[name]) }) as Record<Name, string>,
})

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

/** The screens of music, with what plays and what is around it beside them. */
const beside = { getParentRoute: () => root, staticData: { beside: true } }

const charts = createRoute({
  ...beside,
  path: '/charts',
  validateSearch: chartAddress,
  component: screen(() => import('./catalogue/Charts.tsx'), 'Charts'),
})

const newReleases = createRoute({
  ...beside,
  path: '/newRelease',
  validateSearch: listAddress,
  component: screen(() => import('./catalogue/NewReleases.tsx'), 'NewReleases'),
})

const genres = createRoute({
  ...beside,
  path: '/genres/index',
  component: screen(() => import('./catalogue/GenresIndex.tsx'), 'GenresIndex'),
})

const genre = createRoute({
  ...beside,
  path: '/genres/view/$genreId',
  params: number('genreId'),
  validateSearch: listAddress,
  component: screen(() => import('./catalogue/GenreView.tsx'), 'GenreView'),
})

const spotlights = createRoute({
  ...beside,
  path: '/spotlight/index',
  validateSearch: pageAddress,
  component: screen(() => import('./catalogue/Spotlights.tsx'), 'Spotlights'),
})

const spotlightsOfGenre = createRoute({
  ...beside,
  path: '/spotlight/filter/$genreId',
  params: number('genreId'),
  validateSearch: pageAddress,
  component: screen(() => import('./catalogue/SpotlightsOfGenre.tsx'), 'SpotlightsOfGenre'),
})

const spotlight = createRoute({
  ...beside,
  path: '/spotlight/view/$listId',
  params: number('listId'),
  validateSearch: pageAddress,
  component: screen(() => import('./catalogue/SpotlightView.tsx'), 'SpotlightView'),
})

const top20Tracks = createRoute({
  ...beside,
  path: '/top20/tracks',
  validateSearch: pageAddress,
  component: screen(() => import('./catalogue/Top20Tracks.tsx'), 'Top20Tracks'),
})

const top20 = createRoute({
  ...beside,
  path: '/top20/songs/$trackId',
  params: number('trackId'),
  validateSearch: pageAddress,
  component: screen(() => import('./catalogue/Top20View.tsx'), 'Top20View'),
})

const song = createRoute({
  ...beside,
  path: '/song/$entityId',
  params: number('entityId'),
  component: screen(() => import('./catalogue/SongView.tsx'), 'SongView'),
})

const search = createRoute({
  ...beside,
  path: '/search/result/{-$term}',
  validateSearch: searchAddress,
  component: screen(() => import('./catalogue/SearchResults.tsx'), 'SearchResults'),
})

const crate = createRoute({
  ...beside,
  path: '/crate',
  validateSearch: crateAddress,
  component: screen(() => import('./library/Crate.tsx'), 'Crate'),
})

const favourites = createRoute({
  ...beside,
  path: '/favourite-songs',
  validateSearch: pageAddress,
  component: screen(() => import('./library/Favourites.tsx'), 'Favourites'),
})

const recent = createRoute({
  ...beside,
  path: '/recentPlayed',
  validateSearch: pageAddress,
  component: screen(() => import('./player/RecentlyPlayed.tsx'), 'RecentlyPlayed'),
})

const playlists = createRoute({
  ...beside,
  path: '/playlist',
  component: screen(() => import('./library/Playlists.tsx'), 'Playlists'),
})

const playlist = createRoute({
  ...beside,
  path: '/playlist/$playlistId',
  params: number('playlistId'),
  validateSearch: pageAddress,
  component: screen(() => import('./library/PlaylistView.tsx'), 'PlaylistView'),
})

const news = createRoute({
  getParentRoute: () => root,
  path: '/news',
  validateSearch: pageAddress,
  component: screen(() => import('./site/News.tsx'), 'News'),
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
    charts,
    newReleases,
    genres,
    genre,
    spotlights,
    spotlightsOfGenre,
    spotlight,
    top20Tracks,
    top20,
    song,
    search,
    crate,
    favourites,
    recent,
    playlists,
    playlist,
    news,
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
  interface StaticDataRouteOption {
    /** Whether the right column stands beside this screen. */
    beside?: boolean
  }
}
