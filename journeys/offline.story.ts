import { catalogue } from '@dubplate/contract'
import { ask, expect, hearItRun, listNamed, rowsOf, test } from './support.ts'

/** Two genres with songs: one to stand on, one to go to. */
async function twoGenres() {
  const { genres } = await ask(catalogue.getGenresWithCount, {})
  const [here, there] = genres.filter(({ song_count }) => song_count > 1)
  return { here: here!, there: there! }
}

test('offline a list says so, and comes back by itself with the connection', { tag: '@smoke' }, async ({
  page,
  context,
}) => {
  const { here, there } = await twoGenres()
  await page.goto(`/genres/view/${here.genre_id}`)
  await expect(rowsOf(page).first()).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('main').getByRole('link', { name: there.name }).first().click()
  const alert = page.getByRole('main').getByRole('alert').filter({ hasText: 'These songs did not load' })
  await expect(alert).toContainText('You are offline.')
  await expect(alert.getByRole('button', { name: 'Try again' })).toBeVisible()
  await context.setOffline(false)
  await expect(rowsOf(listNamed(page, `Songs, ${there.name}`)).first()).toBeVisible()
})

test('offline a screen that was not opened before says so, and the rest of the page still works', async ({
  page,
  context,
}) => {
  await page.goto('/newRelease')
  await expect(rowsOf(page).first()).toBeVisible()
  await context.setOffline(true)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('link', { name: 'Favourite songs' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('You are offline.')
  await navigation.getByRole('link', { name: 'New releases' }).click()
  await expect(rowsOf(page).first()).toBeVisible()
  await context.setOffline(false)
  await navigation.getByRole('link', { name: 'Favourite songs' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to see it' })).toBeVisible()
})

test('music that was on its way goes on when the connection is back', async ({ page, context }) => {
  await page.goto('/newRelease')
  await expect(rowsOf(page).first()).toBeVisible()
  await context.setOffline(true)
  await rowsOf(page)
    .first()
    .getByRole('button', { name: /^Preview / })
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Player' }).getByRole('alert')).toContainText('you are offline')
  await context.setOffline(false)
  await hearItRun(page)
})

test('a server that is overloaded is said, and asked again by a press', async ({ page }) => {
  const { here } = await twoGenres()
  await page.route('**/api/genres/songs.json*', (route) => route.fulfill({ status: 503, body: 'upstream is busy' }))
  await page.goto(`/genres/view/${here.genre_id}`)
  const alert = page.getByRole('main').getByRole('alert').filter({ hasText: 'These songs did not load' })
  await expect(alert).toContainText('503')
  await page.unroute('**/api/genres/songs.json*')
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(rowsOf(page).first()).toBeVisible()
})
