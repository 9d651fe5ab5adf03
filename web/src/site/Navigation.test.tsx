import { library, savedSearches } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { banner, crateLink, currentUrl, navigation, searchBox } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const DESKTOP = [1440, 900] as const

async function usePhone() {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(...DESKTOP))
}

const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')

test('keeps five sections within reach of the thumb on a phone, and shows the title of the page', async () => {
  await usePhone()
  await openApp('/')
  const names = () => tabs.elements().map(({ textContent }) => textContent)
  await expect.poll(names).toEqual(['Home', 'Search', 'Crate', 'Library', 'Account'])
  for (const [name, address] of [
    ['Crate', '/crate'],
    ['Library', '/library'],
    ['Account', '/account'],
    ['Home', '/'],
  ] as const) {
    const tab = tabs.filter({ hasText: name })
    await tab.click()
    await expect.poll(currentUrl).toBe(address)
    await expect.element(tab).toHaveAttribute('aria-current', 'page')
    await expect.element(tab).toBeInViewport({ ratio: 1 })
    await expect.element(banner).toHaveTextContent(name)
    expect(document.getElementById('q')?.checkVisibility()).toBe(false)
  }
})

test('opens the search with the focus in its box', async () => {
  await usePhone()
  await openApp('/')
  await tabs.filter({ hasText: 'Search' }).click()
  await expect.poll(currentUrl).toBe('/search/result')
  await expect.element(searchBox).toHaveFocus()
})

test('marks the tab that a page belongs to', async () => {
  await usePhone()
  await openApp('/charts')
  await expect.element(tabs.filter({ hasText: 'Home' })).toHaveAttribute('aria-current', 'true')
  await openApp('/favourite-songs')
  await expect.element(tabs.filter({ hasText: 'Library' })).toHaveAttribute('aria-current', 'true')
})

test('shows the number of songs in the crate once, in the navigation', async () => {
  fakeApi.reply(library.getCrates, { crates: [1, 2], count: 2 })
  signInAs(makeProfile())
  await openApp('/charts')
  await import('../library/library.ts').then(({ loadLibrary }) => loadLibrary())
  await expect.element(crateLink).toHaveAccessibleName('Crate 2 songs')
  expect(banner.getByRole('link', { name: /crate/i }).elements()).toEqual([])
})

test('lists the member’s own lists with their numbers in the library', async () => {
  await usePhone()
  fakeApi.reply(savedSearches.getSearches, {})
  signInAs(makeProfile())
  await openApp('/library')
  const links = page.getByRole('main').getByRole('link')
  const names = () => links.elements().map(({ textContent }) => textContent)
  await expect
    .poll(names)
    .toEqual([
      'Playlists0',
      'Favourites0',
      'Recently played',
      'DJ library',
      'Saved searches0',
      'Downloads0',
      'Uploads',
      'See charts',
    ])
})

test('asks visitors to sign in to see their library', async () => {
  await usePhone()
  await openApp('/library')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(currentUrl).toBe('/library?dialog=sign-in')
})

test('has the theme, the plans and signing out on the account page', async () => {
  await usePhone()
  signInAs(makeProfile())
  await openApp('/account')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Light theme' }).click()
  expect(document.documentElement.dataset.mantineColorScheme).toBe('light')
  await expect.element(main.getByRole('button', { name: 'Dark theme' })).toBeVisible()
  await main.getByRole('link', { name: 'Sign out' }).click()
  await expect.poll(currentUrl).toBe('/')
  await expect.element(banner.getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('keeps the section of the navigation that is open on wide windows', async () => {
  await openApp('/charts')
  await expect.element(navigation.getByRole('link', { name: 'Charts' })).toHaveAttribute('aria-current', 'page')
  expect(tabs.elements().filter((tab) => tab.checkVisibility())).toEqual([])
})
