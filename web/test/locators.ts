import type { catalogue } from '@dubplate/contract'
import { type Locator, type LocatorSelectors, page } from 'vitest/browser'

/** What many screens have: the search box of the header, lists of songs and their rows. */

export const searchBox = page.getByRole('combobox', { name: 'Search songs and artists' })

export const songList = (name: string) => page.getByRole('table', { name, exact: true })

export const songRows = (within: LocatorSelectors = page) => within.getByTestId('song-row')

export const rowOf = ({ title }: Pick<catalogue.Song, 'title'>, within: LocatorSelectors = page) =>
  songRows(within).filter({ has: page.getByRole('link', { name: title, exact: true }) })

export const playButtonOf = ({ title, artist }: catalogue.Song) =>
  page.getByRole('button', { name: `Play ${title} by ${artist}`, exact: true })

const textsOf = (locator: Locator) => locator.elements().map(({ textContent }) => textContent)

/** The titles of a list's songs, top to bottom. Rows below the first screen are drawn a moment later: poll it. */
export const titlesIn = (list: Locator) => textsOf(list.getByTestId('song-title'))

export const currentAddress = () => location.pathname + location.search
