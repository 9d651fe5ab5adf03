import type { catalogue } from '@dubplate/contract'
import { type Locator, type LocatorSelectors, page } from 'vitest/browser'

/**
 * Locators for parts of many screens: the header, dialogs, buttons and links by their names, lists of songs and their
 * rows.
 */

export const banner = page.getByRole('banner')

export const navigation = page.getByRole('navigation', { name: 'Main' })

/** The link to the crate in the navigation; its name ends with the number of songs. */
export const crateLink = navigation.getByRole('link', { name: /^Crate/ })

export const memberMenu = banner.getByRole('button', { name: /account menu$/ })

export const searchBox = page.getByRole('combobox', { name: 'Search songs, artists, genres' })

export const songList = (name: string) => page.getByRole('table', { name, exact: true })

export const songRows = (scope: LocatorSelectors = page) => scope.getByTestId('song-row')

export const rowOf = ({ title }: Pick<catalogue.Song, 'title'>, scope: LocatorSelectors = page) =>
  songRows(scope).filter({ has: page.getByRole('link', { name: title, exact: true }) })

export const playButtonOf = ({ title, artist }: catalogue.Song) =>
  page.getByRole('button', { name: `Play ${title} by ${artist}`, exact: true })

const textsOf = (locator: Locator) => locator.elements().map(({ textContent }) => textContent)

/** The titles of a list's songs, top to bottom. Rows below the first screen are rendered a moment later, so poll it. */
export const titlesIn = (list: Locator) => textsOf(list.getByTestId('song-title'))

export const dialogNamed = (name: string) => page.getByRole('dialog', { name, exact: true })

/** Clicks the button with exactly this name. */
export const press = (scope: LocatorSelectors, name: string) => scope.getByRole('button', { name, exact: true }).click()

/** Clicks a link. */
export const follow = (scope: LocatorSelectors, name: string) => scope.getByRole('link', { name }).click()

/** The path and query in the address bar. */
export const currentUrl = () => location.pathname + location.search
