import { expect, expectPlaying, showDemoSongsAsNewest, songRows, test } from './support.ts'

test('shows an error for a page that cannot be loaded offline, and keeps the rest working', async ({
  page,
  context,
}) => {
  await page.goto('/newRelease')
  await expect(songRows(page).first()).toBeVisible()
  await context.setOffline(true)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Favourites' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('You’re offline.')
  await navigation.getByRole('link', { name: 'New releases' }).click()
  await expect(songRows(page).first()).toBeVisible()
  await context.setOffline(false)
  await navigation.getByRole('link', { name: 'Favourites' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to see this page' })).toBeVisible()
})

test('resumes loading a preview when the connection is back', { tag: '@smoke' }, async ({ page, context }) => {
  await showDemoSongsAsNewest(page)
  await page.goto('/newRelease')
  await expect(songRows(page).first()).toBeVisible()
  await context.setOffline(true)
  await songRows(page)
    .first()
    .getByRole('button', { name: /^Preview / })
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Player' }).getByRole('alert')).toContainText('you’re offline')
  await context.setOffline(false)
  await expectPlaying(page)
})
