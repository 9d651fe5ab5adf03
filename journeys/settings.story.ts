import { settings } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { callApi, expect, openAs, otherBrowser, test, tokenOf } from './support.ts'

/** What the accent is painted with on a page, by night and by day. */
const readAccentColours = (page: Page) =>
  page.evaluate(() => {
    const html = document.documentElement
    const before = html.getAttribute('data-mantine-color-scheme') ?? 'dark'
    const read = (scheme: string) => {
      html.setAttribute('data-mantine-color-scheme', scheme)
      const style = getComputedStyle(html)
      return [style.getPropertyValue('--accent'), style.getPropertyValue('--accent-ink')]
    }
    const renderedColours = { night: read('dark'), day: read('light') }
    html.setAttribute('data-mantine-color-scheme', before)
    return renderedColours
  })

const DEFAULT_COLOURS = { night: ['#c8f135', '#c8f135'], day: ['#14171c', '#476500'] }

async function resetAccent(): Promise<void> {
  const token = await tokenOf('staff@demo.test')
  const { groups } = await callApi(settings.getSettings, {}, token)
  await callApi(settings.saveSettings, { group: 'accent', version: groups.accent.version, values: {} }, token)
}

test.afterEach(resetAccent)

test('a colour that cannot be read is mended, and is there before anything is drawn, for everybody', async ({
  page,
  browser,
}) => {
  await openAs(page, 'staff@demo.test')
  await page.goto('/staff/settings')
  const card = page.getByRole('form', { name: 'Accent colour' })
  const night = card.getByRole('textbox', { name: 'Dark mode', exact: true })
  await night.fill('#223366')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByRole('alert')).toContainText('It cannot be read')
  await expect(night).toBeFocused()
  // What was typed outlives the page.
  await page.reload()
  await expect(night).toHaveValue('#223366')
  await card.getByRole('button', { name: /which can be read$/ }).click()
  const correctedColour = await night.inputValue()
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Custom')).toBeVisible()
  await expect
    .poll(() => readAccentColours(page))
    .toEqual({ night: [correctedColour, correctedColour], day: DEFAULT_COLOURS.day })

  const visitor = await otherBrowser(browser)
  await visitor.goto('/', { waitUntil: 'commit' })
  await visitor.waitForSelector('nav[aria-label="Main"]')
  expect((await readAccentColours(visitor)).night).toEqual([correctedColour, correctedColour])
  await card.getByRole('button', { name: 'Back to the colours it came with' }).click()
  await expect(card.getByText('Default')).toBeVisible()
  await expect.poll(() => readAccentColours(page)).toEqual(DEFAULT_COLOURS)
})

test('of two admins the second sees what the first saved, and decides', async ({ page }) => {
  await openAs(page, 'staff@demo.test')
  await page.goto('/staff/settings')
  const card = page.getByRole('form', { name: 'Accent colour' })
  await card.getByRole('textbox', { name: 'Dark mode', exact: true }).fill('#ffb454')
  const token = await tokenOf('staff@demo.test')
  const { groups } = await callApi(settings.getSettings, {}, token)
  const currentVersion = { accent: { night: '#8fd0ff', day: '#00507a' } }
  await callApi(
    settings.saveSettings,
    { group: 'accent', version: groups.accent.version, values: currentVersion },
    token,
  )
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByRole('region', { name: 'Current version' })).toContainText('#8fd0ff (dark), #00507a (light)')
  await card.getByRole('button', { name: 'Keep mine' }).click()
  await expect(card.getByText('Custom')).toBeVisible()
  expect((await callApi(settings.getSettings, {}, token)).settings.accent.value?.night).toBe('#ffb454')
})
