import { playlists, spotlights } from '@dubplate/contract'
import { ask, comeDown, dialog, expect, firstOf, newestSongs, rowsOf, searchBox, tokenOf } from '../support.ts'
import { checkScreens, findGenre, openList, openTiles, visit } from './check.ts'

checkScreens([
  {
    name: 'home',
    open: async (page) => {
      await openList(page, '/')
      await comeDown(page)
      await expect(page.getByRole('complementary', { name: 'Charts' }).getByRole('listitem').first()).toBeVisible()
      await expect(page.getByRole('note').first()).not.toBeEmpty()
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
      const { curatedlist } = await ask(spotlights.getSpotlights, {})
      await openList(page, `/spotlight/view/${firstOf(curatedlist).curated_list_id}`)
    },
  },
  { name: 'top 20', open: (page) => openTiles(page, '/top20/tracks') },
  { name: 'collection', open: (page) => openList(page, '/top20/songs/1') },
  { name: 'song', open: async (page) => openList(page, `/song/${firstOf(await newestSongs(1)).entity_id}`) },
  { name: 'recently played', open: (page) => openList(page, '/recentPlayed') },
  { name: 'favourites', open: (page) => openList(page, '/favourite-songs') },
  { name: 'crate', open: (page) => openList(page, '/crate') },
  { name: 'playlists', open: (page) => openTiles(page, '/playlist') },
  {
    name: 'playlist',
    open: async (page) => {
      const { playlists: own } = await ask(playlists.getPlaylists, {}, await tokenOf('staff@demo.test'))
      await openList(page, `/playlist/${firstOf(own).playlist_id}`)
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
    name: 'search',
    open: async (page) => {
      await openList(page, '/search/result/bpm:61 -remix')
      await searchBox(page).fill('key:')
      await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'a search for nothing',
    open: async (page) => {
      await visit(page, '/search/result/zzqxwvk artist:nobody')
      await expect(page.getByRole('heading', { name: /^No results/ })).toBeVisible()
    },
  },
  {
    name: 'palette',
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
      await rowsOf(page)
        .nth(1)
        .click({ button: 'right', position: { x: 8, y: 8 } })
      await page.getByRole('menuitem', { name: 'Add to queue' }).click()
      await page.getByTestId('queue').click()
      await expect(page.getByRole('dialog', { name: 'Queue' }).getByRole('listitem').first()).toBeVisible()
    },
  },
])
