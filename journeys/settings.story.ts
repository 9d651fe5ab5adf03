import { settings } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { callApi, expect, getToken, openOtherBrowser, signInAs, test } from './support.ts'

/** Reads the accent colours of a page in dark and light mode. */
const readAccentColours = (page: Page) =>
  page.evaluate(() => {
    const html = document.documentElement
    const before = html.getAttribute('data-mantine-color-scheme') ?? 'dark'
    const read = (scheme: string) => {
      html.setAttribute('data-mantine-color-scheme', scheme)
      const style = getComputedStyle(html)
      return [style.getPropertyValue('--accent'), style.getPropertyValue('--accent-ink')]
    }
    const colours = { night: read('dark'), day: read('light') }
    html.setAttribute('data-mantine-color-scheme', before)
    return colours
  })

const DEFAULT_COLOURS = { night: ['#c8f135', '#c8f135'], day: ['#14171c', '#476500'] }

async function resetAccentColour(): Promise<void> {
  const token = await getToken('staff@demo.test')
  const { groups } = await callApi(settings.getSettings, {}, token)
  await callApi(settings.saveSettings, { group: 'accent', version: groups.accent.version, values: {} }, token)
}

test.afterEach(resetAccentColour)

test('refuses an unreadable accent colour, and applies a readable one for all visitors', async ({ page, browser }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/appearance')
  const card = page.getByRole('region', { name: 'Accent colour' })
  const night = card.getByRole('textbox', { name: 'Dark mode', exact: true })
  await night.fill('#223366')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(night).toHaveAccessibleDescription(/Contrast too low/)
  await expect(night).toBeFocused()
  // The draft is still there after a reload.
  await page.reload()
  await expect(night).toHaveValue('#223366')
  await card.getByRole('button', { name: /^Use #\w+ instead$/ }).click()
  const readable = await night.inputValue()
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Custom')).toBeVisible()
  await expect.poll(() => readAccentColours(page)).toEqual({ night: [readable, readable], day: DEFAULT_COLOURS.day })

  const visitor = await openOtherBrowser(browser)
  await visitor.goto('/', { waitUntil: 'commit' })
  await visitor.waitForSelector('nav[aria-label="Main"]')
  expect((await readAccentColours(visitor)).night).toEqual([readable, readable])
  await card.getByRole('button', { name: 'Reset to the default colours' }).click()
  await expect(card.getByText('Default', { exact: true })).toBeVisible()
  await expect.poll(() => readAccentColours(page)).toEqual(DEFAULT_COLOURS)
})
