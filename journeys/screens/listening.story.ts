import { playlists, spotlights } from '@dubplate/contract'
import {
  callApi,
  dialog,
  expect,
  getDemoSongs,
  getFirst,
  getToken,
  scrollThroughPage,
  searchBox,
  songRows,
} from '../support.ts'
import { checkScreens, DESKTOP, findGenre, openList, openTiles, visit } from './check.ts'
import { showDjLibrary } from './djLibrary.ts'

checkScreens([
  {
    name: 'home',
    open: async (page) => {
      await openList(page, '/')
      await scrollThroughPage(page)
      await expect(songRows(page.getByRole('table', { name: 'This week’s chart' })).first()).toBeVisible()
      await expect(page.getByRole('note').first()).not.toBeEmpty()
    },
  },
  {
    name: 'library',
    open: async (page) => {
      await visit(page, '/library')
      await expect(page.getByRole('main').getByRole('link', { name: /^Playlists/ })).toBeVisible()
    },
  },
  {
    name: 'DJ library without files',
    // Another page: the next two show libraries, and replies are kept.
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/dj-library')
      await page.getByText('Where is my library file?').click()
      await expect(page.getByText('collection.nml', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'DJ library',
    open: async (page) => {
      await showDjLibrary(page)
      await visit(page, '/dj-library?tab=review')
      await expect(page.getByRole('button', { name: /^Confirm: / }).first()).toBeVisible()
    },
  },
  {
    name: 'versions that a DJ library lacks',
    open: async (page) => {
      await showDjLibrary(page)
      await visit(page, '/dj-library?tab=better')
      await expect(page.getByText(/^You have /).first()).toBeVisible()
    },
  },
  {
    name: 'account menu page',
    open: async (page) => {
      await visit(page, '/account')
      await expect(page.getByRole('main').getByRole('link', { name: 'Sign out' })).toBeVisible()
    },
  },
  {
    name: 'home for visitors',
    isForVisitors: true,
    open: async (page) => {
      await page.setViewportSize(DESKTOP)
      await visit(page, '/')
      await expect(songRows(page).first()).toBeVisible()
      await expect(page.getByRole('region', { name: 'The record pool for working DJs' })).toBeVisible()
      await scrollThroughPage(page)
      // Without the player, which only appears once something was played.
      const height = await page.evaluate(() => {
        const root = document.documentElement
        return root.scrollHeight - Number.parseFloat(getComputedStyle(root).getPropertyValue('--player-h'))
      })
      expect(height).toBeLessThan(2200)
    },
  },
  { name: 'charts', open: (page) => openList(page, '/charts') },
  { name: 'new releases', open: (page) => openList(page, '/newRelease') },
  { name: 'genres', open: (page) => openTiles(page, '/genres/index') },
  { name: 'genre', open: async (page) => openList(page, `/genres/view/${await findGenre()}`) },
  { name: 'spotlights', open: (page) => openTiles(page, '/spotlight/index') },
  { name: 'spotlights of a genre', open: (page) => openTiles(page, '/spotlight/filter/1') },
  {
    name: 'spotlight',
    open: async (page) => {
      const { curatedlist } = await callApi(spotlights.getSpotlights, {})
      await openList(page, `/spotlight/view/${getFirst(curatedlist).curated_list_id}`)
    },
  },
  { name: 'top 20 collections', open: (page) => openTiles(page, '/top20/tracks') },
  { name: 'top 20 collection', open: (page) => openList(page, '/top20/songs/1') },
  {
    name: 'song',
    open: async (page) => {
      await visit(page, `/song/${getFirst(await getDemoSongs(1)).entity_id}`)
      await expect(
        page
          .getByRole('list', { name: /^Versions of / })
          .getByRole('listitem')
          .first(),
      ).toBeVisible()
    },
  },
  { name: 'recently played', open: (page) => openList(page, '/recentPlayed') },
  { name: 'favourites', open: (page) => openList(page, '/favourite-songs') },
  { name: 'crate', open: (page) => openList(page, '/crate') },
  { name: 'playlists', open: (page) => openTiles(page, '/playlist') },
  {
    name: 'playlist',
    open: async (page) => {
      const { playlists: own } = await callApi(playlists.getPlaylists, {}, await getToken('staff@demo.test'))
      await openList(page, `/playlist/${getFirst(own).playlist_id}`)
    },
  },
  {
    name: 'news',
    open: async (page) => {
      await visit(page, '/news')
      await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'search results',
    open: async (page) => {
      await openList(page, '/search/result/bpm:61 -remix')
      await searchBox(page).fill('key:')
      await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'search without results',
    open: async (page) => {
      await visit(page, '/search/result/zzqxwvk artist:nobody')
      await expect(page.getByRole('heading', { name: /^No results/ })).toBeVisible()
    },
  },
  {
    name: 'command menu',
    open: async (page) => {
      await openList(page, '/newRelease')
      await page.keyboard.press('Control+k')
      await expect(dialog(page, 'Commands').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'queue',
    open: async (page) => {
      await openList(page, '/newRelease')
      await songRows(page)
        .nth(1)
        .click({ button: 'right', position: { x: 8, y: 8 } })
      await page.getByRole('menuitem', { name: 'Add to queue' }).click()
      await page.getByTestId('queue').click()
      await expect(page.getByRole('dialog', { name: 'Queue' }).getByRole('listitem').first()).toBeVisible()
    },
  },
])
