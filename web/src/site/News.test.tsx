import { site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'
import { singlePage } from '../../test/samples.ts'

test('lists the announcements in the order of the server, each with a link to its page', async () => {
  fakeApi.reply(site.getPool, { name: 'Dubplate' })
  const announcement = (message_id: number, page_name: string, message: string) => ({
    message_id,
    page_name,
    message,
    published_at: '2026-11-20T10:00:00Z',
  })
  fakeApi.reply(site.getNews, {
    announcements: [
      announcement(2, 'mp3_chart', 'New <b>weekly</b> charts'),
      announcement(1, 'mp3_latest', 'A thousand songs'),
    ],
    pagination: singlePage(2),
  })
  await openApp('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'What’s News' }).click()
  await expect.poll(() => document.title).toBe('What’s News · Dubplate')
  const items = page.getByRole('main').getByRole('listitem')
  await expect.poll(() => items.elements().length).toBe(2)
  await expect.element(items.nth(0)).toHaveTextContent('New weekly charts')
  await expect.element(items.nth(0).getByText('weekly', { exact: true })).toBeVisible()
  await expect.element(items.nth(1)).toHaveTextContent('A thousand songs')
  await expect.element(items.nth(1).getByRole('link')).toHaveAttribute('href', '/newRelease')
  await items.getByRole('link', { name: 'Charts', exact: true }).click()
  await expect.poll(() => location.pathname).toBe('/charts')
})
