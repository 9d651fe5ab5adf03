import { type Locator, page } from 'vitest/browser'

type Within = Pick<Locator, 'getByRole'>

export const dialogNamed = (name: string) => page.getByRole('dialog', { name, exact: true })

export const banner = page.getByRole('banner')

export const memberMenu = banner.getByRole('button', { name: /your menu/ })

/** Clicks the button with exactly this name. */
export const press = (within: Within, name: string) => within.getByRole('button', { name, exact: true }).click()

/** Clicks a link. */
export const follow = (within: Within, name: string) => within.getByRole('link', { name }).click()

/** The path and query in the address bar. */
export const currentAddress = () => location.pathname + location.search
