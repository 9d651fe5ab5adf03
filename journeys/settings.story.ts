import { settings } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, enterAs, expect, otherBrowser, test, tokenOf } from './support.ts'

/** What the accent is painted with on a page, by night and by day. */
const paintedWith = (page: Page) =>
  page.evaluate(() => {
    const html = document.documentElement
    const before = html.getAttribute('data-mantine-color-scheme') ?? 'dark'
    const read = (scheme: string) => {
      html.setAttribute('data-mantine-color-scheme', scheme)
      const style = getComputedStyle(html)
      return [style.getPropertyValue('--accent'), style.getPropertyValue('--accent-ink')]
    }
    const painted = { night: read('dark'), day: read('light') }
    html.setAttribute('data-mantine-color-scheme', before)
    return painted
  })

const MADE = { night: ['#c8f135', '#c8f135'], day: ['#14171c', '#476500'] }

async function putBack(): Promise<void> {
  const token = await tokenOf('staff@demo.test')
  const { groups } = await ask(settings.getSettings, {}, token)
  await ask(settings.saveSettings, { group: 'accent', version: groups.accent.version, values: {} }, token)
}

test.afterEach(putBack)

test('a colour that cannot be read is mended, and is there before anything is drawn, for everybody', async ({
  page,
  browser,
}) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/settings')
  const card = page.getByRole('form', { name: 'Accent colour' })
  const night = card.getByRole('textbox', { name: 'Dark mode', exact: true })
  await night.fill('#223366')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByRole('alert')).toContainText('Not readable')
  await expect(night).toBeFocused()
  // What was typed outlives the page.
  await page.reload()
  await expect(night).toHaveValue('#223366')
  await card.getByRole('button', { name: /\(readable\)$/ }).click()
  const mended = await night.inputValue()
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Custom')).toBeVisible()
  await expect.poll(() => paintedWith(page)).toEqual({ night: [mended, mended], day: MADE.day })

  const visitor = await otherBrowser(browser)
  await visitor.goto('/', { waitUntil: 'commit' })
  await visitor.waitForSelector('nav[aria-label="Main"]')
  expect((await paintedWith(visitor)).night).toEqual([mended, mended])
  await card.getByRole('button', { name: 'Reset to the default colours' }).click()
  await expect(card.getByText('Default')).toBeVisible()
  await expect.poll(() => paintedWith(page)).toEqual(MADE)
})

test('of two admins the second sees what the first saved, and decides', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/settings')
  const card = page.getByRole('form', { name: 'Accent colour' })
  await card.getByRole('textbox', { name: 'Dark mode', exact: true }).fill('#ffb454')
  const token = await tokenOf('staff@demo.test')
  const { groups } = await ask(settings.getSettings, {}, token)
  const theirs = { accent: { night: '#8fd0ff', day: '#00507a' } }
  await ask(settings.saveSettings, { group: 'accent', version: groups.accent.version, values: theirs }, token)
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByRole('region', { name: 'Current version' })).toContainText('#8fd0ff (dark), #00507a (light)')
  await card.getByRole('button', { name: 'Keep mine' }).click()
  await expect(card.getByText('Custom')).toBeVisible()
  expect((await ask(settings.getSettings, {}, token)).settings.accent.value?.night).toBe('#ffb454')
})
