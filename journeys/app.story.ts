import type { Page } from '@playwright/test'
import { expect, goOffline, goOnline, songRows, test } from './support.ts'

/**
 * Emulates a lost connection until the page says that it is offline. On a slow machine, Chromium may close the document before
 * a reload only after it opened the new one, and then forgets the emulated state of both, which share a process. Returns a
 * function that ends the emulation.
 */
async function keepOffline(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const isOnline = async () => {
    const conditions = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
    await session.send('Network.emulateNetworkConditions', { offline: true, ...conditions })
    return page.evaluate(() => navigator.onLine)
  }
  await expect.poll(isOnline, 'navigator.onLine').toBe(false)
  return () => session.detach()
}

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow' })

  test('opens offline after one visit, and loads when the connection is back', { tag: '@smoke' }, async ({ page }) => {
    await page.goto('/')
    await expect(songRows(page).first()).toBeVisible()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
      if (!navigator.serviceWorker.controller)
        await new Promise((resolve) =>
          navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
        )
    })
    await goOffline(page)
    await page.reload()
    const endOffline = await keepOffline(page)
    await expect(page.getByText('You’re offline. Loaded pages still work.')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Charts' })).toBeVisible()
    await expect(songRows(page)).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('alert').first()).toContainText('Couldn’t load')
    await endOffline()
    await goOnline(page)
    await expect(songRows(page).first()).toBeVisible()
  })
})

test('serves a web app manifest with icons of the declared sizes', async ({ page }) => {
  await page.goto('/')
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const reply = await page.request.get(address!)
  expect(reply.headers()['content-type']).toContain('application/manifest+json')
  const manifest = await reply.json()
  expect(manifest).toMatchObject({ name: 'Dubplate', display: 'standalone', start_url: expect.stringMatching(/^\//) })
  const icons: { src: string; sizes: string; type: string }[] = manifest.icons
  expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
  for (const { src, sizes, type } of icons) {
    const icon = await page.request.get(new URL(src, new URL(address!, page.url())).href)
    expect(icon.ok(), src).toBe(true)
    expect(icon.headers()['content-type'], src).toContain(type)
    // The first chunk of a PNG holds its width and height (https://www.w3.org/TR/png-3/#11IHDR).
    const bytes = await icon.body()
    if (type === 'image/png') expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes)
  }
})
