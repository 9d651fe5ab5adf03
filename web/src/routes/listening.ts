import { createRoute, notFound } from '@tanstack/react-router'
import {
  chartAddress,
  crateAddress,
  homeAddress,
  listAddress,
  pageAddress,
  playlistsAddress,
  searchAddress,
  sectionAddress,
  songsAddress,
} from '../catalogue/addresses.ts'
import { Home } from '../catalogue/Home.tsx'
import { lazyScreen, number, root, screen, withSidebar } from './routeHelpers.ts'

const home = createRoute({ ...withSidebar, path: '/', validateSearch: homeAddress, component: Home })

const charts = createRoute({
  ...withSidebar,
  path: '/charts',
  validateSearch: chartAddress,
  component: screen(() => import('../catalogue/Charts.tsx'), 'Charts'),
})

const newReleases = createRoute({
  ...withSidebar,
  path: '/newRelease',
  validateSearch: listAddress,
  component: screen(() => import('../catalogue/NewReleases.tsx'), 'NewReleases'),
})

const genres = createRoute({
  ...withSidebar,
  path: '/genres/index',
  validateSearch: sectionAddress,
  component: screen(() => import('../catalogue/GenresIndex.tsx'), 'GenresIndex'),
})

const genre = createRoute({
  ...withSidebar,
  path: '/genres/view/$genreId',
  params: number('genreId'),
  validateSearch: listAddress,
  component: screen(() => import('../catalogue/GenreView.tsx'), 'GenreView'),
})

const spotlights = createRoute({
  ...withSidebar,
  path: '/spotlight/index',
  validateSearch: pageAddress,
  component: screen(() => import('../catalogue/Spotlights.tsx'), 'Spotlights'),
})

const spotlightsOfGenre = createRoute({
  ...withSidebar,
  path: '/spotlight/filter/$genreId',
  params: number('genreId'),
  validateSearch: pageAddress,
  component: screen(() => import('../catalogue/SpotlightsOfGenre.tsx'), 'SpotlightsOfGenre'),
})

const spotlight = createRoute({
  ...withSidebar,
  path: '/spotlight/view/$listId',
  params: number('listId'),
  validateSearch: songsAddress,
  component: screen(() => import('../catalogue/SpotlightView.tsx'), 'SpotlightView'),
})

const top20Tracks = createRoute({
  ...withSidebar,
  path: '/top20/tracks',
  validateSearch: pageAddress,
  component: screen(() => import('../catalogue/Top20Tracks.tsx'), 'Top20Tracks'),
})

const top20 = createRoute({
  ...withSidebar,
  path: '/top20/songs/$trackId',
  params: number('trackId'),
  validateSearch: songsAddress,
  component: screen(() => import('../catalogue/Top20View.tsx'), 'Top20View'),
})

const artist = createRoute({
  ...withSidebar,
  path: '/artist/$name',
  validateSearch: listAddress,
  component: lazyScreen('ArtistPage'),
})

const label = createRoute({
  ...withSidebar,
  path: '/label/$name',
  validateSearch: listAddress,
  component: lazyScreen('LabelPage'),
})

const song = createRoute({
  getParentRoute: () => root,
  path: '/song/$entityId',
  params: number('entityId'),
  component: screen(() => import('../catalogue/SongView.tsx'), 'SongView'),
})

const search = createRoute({
  ...withSidebar,
  path: '/search/result/{-$term}',
  validateSearch: searchAddress,
  component: screen(() => import('../catalogue/SearchResults.tsx'), 'SearchResults'),
})

const crate = createRoute({
  getParentRoute: () => root,
  path: '/crate',
  validateSearch: crateAddress,
  component: screen(() => import('../library/Crate.tsx'), 'Crate'),
})

const favourites = createRoute({
  ...withSidebar,
  path: '/favourite-songs',
  validateSearch: songsAddress,
  component: screen(() => import('../library/Favourites.tsx'), 'Favourites'),
})

const recent = createRoute({
  ...withSidebar,
  path: '/recentPlayed',
  validateSearch: songsAddress,
  component: screen(() => import('../player/RecentlyPlayed.tsx'), 'RecentlyPlayed'),
})

const playlists = createRoute({
  ...withSidebar,
  path: '/playlist',
  validateSearch: playlistsAddress,
  component: screen(() => import('../library/Playlists.tsx'), 'Playlists'),
})

const playlist = createRoute({
  ...withSidebar,
  path: '/playlist/$playlistId',
  params: number('playlistId'),
  validateSearch: songsAddress,
  component: screen(() => import('../library/PlaylistView.tsx'), 'PlaylistView'),
})

const DIG_LIST = /^(new|(chart|genre|spotlight|top20|playlist|search)-[a-z0-9]+)$/

const dig = createRoute({
  getParentRoute: () => root,
  path: '/dig/$list',
  params: {
    parse: ({ list }) => {
      if (!DIG_LIST.test(list)) throw notFound()
      return { list }
    },
    stringify: ({ list }) => ({ list }),
  },
  staticData: { isFullScreen: true },
  component: lazyScreen('Dig'),
})

const library = createRoute({ getParentRoute: () => root, path: '/library', component: lazyScreen('LibraryPage') })

const news = createRoute({
  getParentRoute: () => root,
  path: '/news',
  validateSearch: pageAddress,
  component: lazyScreen('News'),
})

/** Music: lists, search, and the member's own lists. */
export const listeningRoutes = [
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
  artist,
  label,
  song,
  search,
  crate,
  favourites,
  recent,
  playlists,
  playlist,
  dig,
  library,
  news,
] as const
