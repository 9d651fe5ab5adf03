import { type InputOf, membership, staff } from '@dubplate/contract'
import { callApi, dialog, expect, getDemoSongs, getToken, signInAs, songPage, test } from './support.ts'

const getApplications = async (input: InputOf<typeof staff.getApplications> = { page: 1 }) =>
  (await callApi(staff.getApplications, input, await getToken('staff@demo.test'))).applications

test('reviews applications by keyboard, and undoes a decline', { tag: '@smoke' }, async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/applications')
  const nobody = page.getByRole('row', { name: 'DJ Nobody' })
  await nobody.press('n')
  const note = page.getByRole('textbox', { name: 'Note' })
  await note.fill('Asked Monique on the phone.')
  await note.press('Control+Enter')
  await expect(note).toBeHidden()
  await expect(page.getByRole('complementary', { name: 'DJ Nobody' })).toContainText('Asked Monique on the phone.')

  await expect(nobody).toBeFocused()
  await page.keyboard.press('d')
  const decline = dialog(page, 'Decline DJ Nobody’s application?')
  await decline.getByRole('button', { name: /^The member you named/ }).click()
  await decline.getByLabel('Reason').press('Control+Enter')
  await expect(page.getByText('DJ Nobody declined. We’ve emailed the reason.')).toBeVisible()
  await expect(nobody).toBeHidden()
  expect((await getApplications()).map(({ dj_name }) => dj_name)).not.toContain('DJ Nobody')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(nobody).toBeVisible()
})

test('shows an error and a retry button when the account fails to load', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  const calls = `**/api/${membership.getProfile.path}*`
  await page.route(calls, (route) => route.abort())
  await page.goto('/staff/applications')
  await expect(page.getByRole('heading', { name: 'Couldn’t load your account' })).toBeVisible()
  await page.unroute(calls)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Applications' })).toBeVisible()
})

test('hides the back office from members who are not staff', async ({ page }) => {
  await signInAs(page, 'dj@demo.test')
  await page.goto('/')
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Charts' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back office' })).toHaveCount(0)
  await page.goto('/staff/applications')
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
})

test('lets staff view the site as a member, read-only', async ({ page, context }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/members')
  await page.getByRole('searchbox', { name: 'Search by DJ name, email or member number…' }).fill('dj@demo.test')
  await page.getByRole('row', { name: 'DJ Marlow' }).getByRole('link').click()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'View as member' }).click()
  const view = await opening
  const notice = view.getByRole('complementary', { name: 'View as member' })
  await expect(notice).toContainText('Viewing as DJ Marlow (read-only).')
  await expect(view).toHaveURL(/\/$/)
  await expect(view.getByRole('link', { name: 'Back office' })).toHaveCount(0)

  const [song] = await getDemoSongs(1)
  await view.goto(`/song/${song!.entity_id}`)
  await songPage(view)
    .getByRole('button', { name: `Add ${song!.title} to favourites` })
    .click()
  await expect(view.getByText('You’re viewing the site as DJ Marlow. This view is read-only.')).toBeVisible()

  await notice.getByRole('button', { name: 'Exit view' }).click()
  await expect(view.getByRole('button', { name: 'View as member' })).toBeVisible()
  await expect(view.getByRole('navigation', { name: 'Back office' })).toBeVisible()
})
