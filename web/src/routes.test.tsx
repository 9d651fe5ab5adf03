import { catalogue, charts, site, spotlights } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../test/fakeApi.ts'
import { openApp, signInAs } from '../test/openApp.tsx'
import { makeProfile, makeSong, singlePage } from '../test/samples.ts'

const song = makeSong({ entity_id: 5, title: 'Harbour Lights', artist: 'Ada Vale' })
const image = '/images/cover/320.webp'
const house = { genre_id: 3, name: 'House' }

test.each([
  ['/', 'Dubplate'],
  ['/charts', 'Daily chart · Dubplate'],
  ['/newRelease', 'New releases · Dubplate'],
  ['/genres/index', 'Genres · Dubplate'],
  ['/genres/view/3', 'House · Dubplate'],
  ['/spotlight/index', 'Spotlights · Dubplate'],
  ['/spotlight/view/4', 'Summer · Dubplate'],
  ['/top20/tracks', 'Monthly top 20 · Dubplate'],
  ['/song/5', 'Harbour Lights – Ada Vale · Dubplate'],
  ['/search/result', 'Search · Dubplate'],
  ['/playlist', 'Playlists · Dubplate'],
  ['/recentPlayed', 'Recently played · Dubplate'],
  ['/favourite-songs', 'Favourite songs · Dubplate'],
  ['/crate', 'Your Crate · Dubplate'],
  ['/news', 'What’s News · Dubplate'],
  ['/dj-software', 'Kits for DJ software · Dubplate'],
  ['/dj-software/rekordbox', 'Use your kit in rekordbox · Dubplate'],
  ['/subscription/plans', 'Plans · Dubplate'],
])('%s has the tab title “%s” and one main heading', async (address, title) => {
  signInAs(makeProfile({ group_id: 3 }))
  fakeApi.reply(site.getPool, { name: 'Dubplate' })
  fakeApi.reply(catalogue.genreSongs, { genre: house, songs: [song], pagination: singlePage(1) })
  fakeApi.reply(spotlights.getSpotlightSongs, { title: 'Summer', songs: [song], pagination: singlePage(1) })
  fakeApi.reply(charts.getTop20Tracks, {
    tracks: [{ top20_track_id: 1, title: 'June', cover_image: image }],
    pagination: singlePage(1),
  })
  fakeApi.reply(catalogue.getSong, { song })
  document.title = ''
  await openApp(address)
  await expect.poll(() => document.title).toBe(title)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).elements()).toHaveLength(1)
})
