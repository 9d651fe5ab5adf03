import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { currentUrl } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'

const DESKTOP = [1440, 900] as const

test('keeps five sections within reach of the thumb on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(...DESKTOP))
  await openApp('/')
  const tabs = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  const names = () => tabs.elements().map(({ textContent }) => textContent)
  await expect.poll(names).toEqual(['Explore', 'Charts', 'Search', 'Crate', 'Favourites'])
  for (const [name, address] of [
    ['Charts', '/charts'],
    ['Search', '/search/result'],
    ['Crate', '/crate'],
    ['Favourites', '/favourite-songs'],
    ['Explore', '/'],
  ] as const) {
    const tab = tabs.filter({ hasText: name })
    await tab.click()
    await expect.poll(currentUrl).toBe(address)
    await expect.element(tab).toHaveAttribute('aria-current', 'page')
    await expect.element(tab).toBeInViewport({ ratio: 1 })
  }
})
