import { site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'

test('links to every page about the pool', async () => {
  fakeApi.reply(site.getPage, ({ slug }) => ({ slug, title: `Page ${slug}`, html: '<p>Words</p>' }))
  await openApp('/terms')
  const footer = page.getByRole('navigation', { name: 'About' })
  for (const [name, heading] of [
    ['What’s News', 'What’s News'],
    ['Help Desk', 'Help Desk'],
    ['DJ software', 'Kits for DJ software'],
    ['Contact', 'Page contact'],
    ['Careers', 'Page careers'],
    ['Privacy', 'Page privacy'],
    ['Terms', 'Page terms'],
  ] as const) {
    await footer.getByRole('link', { name }).click()
    await expect.element(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  }
})
