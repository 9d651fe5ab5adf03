import { type InputOf, membership, staff } from '@dubplate/contract'
import { callApi, expect, getDemoSongs, getToken, openOtherBrowser, signInAs, songRow, test } from './support.ts'

const getApplications = async (input: InputOf<typeof staff.getApplications> = { page: 1 }) =>
  (await callApi(staff.getApplications, input, await getToken('staff@demo.test'))).applications

test('reviews applications by keyboard, and requires a reason to decline', { tag: '@smoke' }, async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/applications')
  const cards = page.getByRole('list', { name: 'Applications' }).getByRole('listitem')
  const [first] = await getApplications()
  await expect(cards.first()).toHaveAccessibleName(first!.dj_name)
  await cards.first().focus()
  await page.keyboard.press('j')
  await expect(cards.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(cards.first()).toBeFocused()

  await page.keyboard.press('n')
  await page.getByLabel('Note').fill('Asked Monique on the phone.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeHidden()
  await expect(cards.first().getByText('Asked Monique on the phone.')).toBeVisible()

  const shady = page.getByRole('listitem', { name: 'DJ Nobody' })
  await shady.focus()
  await page.keyboard.press('d')
  await expect(page.getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(shady.getByRole('alert')).toHaveText('Enter a reason. The applicant will see it.')
  await shady.getByRole('button', { name: /^The member you named/ }).click()
  // The draft is still there after a reload.
  await page.reload()
  await shady.getByRole('button', { name: 'Decline…' }).click()
  await expect(page.getByLabel('Reason')).toHaveValue(/^The member you named/)
  await page.getByLabel('Reason').press('Control+Enter')
  await expect(page.getByText('DJ Nobody declined. We’ve emailed the reason.')).toBeVisible()
  await expect(shady).toBeHidden()
  expect((await getApplications()).map(({ dj_name }) => dj_name)).not.toContain('DJ Nobody')

  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(shady).toBeVisible()
})

test('refuses to decide an application that a colleague has already decided', async ({ page, browser }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/applications')
  const name = 'Fatou Sound System'
  const card = page.getByRole('listitem', { name })
  await expect(card).toBeVisible()
  const other = await openOtherBrowser(browser)
  await signInAs(other, 'staff@demo.test')
  await other.goto('/staff/applications')
  await other.getByRole('listitem', { name }).getByRole('button', { name: 'Approve' }).click()
  await expect(other.getByText(`${name} approved and notified`)).toBeVisible()
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(
    page.getByText('Front Desk approved this application since you opened it. Reload before you decide.'),
  ).toBeVisible()
  await expect(card).toBeHidden()
})

test('refuses a note that would overwrite a newer one, and keeps the text', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/applications')
  const application = (await getApplications()).find(({ dj_name }) => dj_name === 'Teo Contreras')!
  const card = page.getByRole('listitem', { name: application.dj_name })
  await card.getByRole('button', { name: 'Add note' }).click()
  const note = card.getByRole('textbox', { name: 'Note' })
  await note.fill('Mine, started first.')
  const { customer_id, version } = application
  await callApi(staff.noteApplication, { customer_id, version, note: 'Theirs.' }, await getToken('staff@demo.test'))
  await note.press('Control+Enter')
  await expect(card.getByRole('alert')).not.toBeEmpty()
  await expect(card.getByRole('paragraph').filter({ hasText: 'Theirs.' })).toBeVisible()
  await expect(note).toHaveValue('Mine, started first.')
  await note.fill('Theirs. And mine.')
  await note.press('Control+Enter')
  await expect(note).toBeHidden()
  await expect(card.getByText('Theirs. And mine.')).toBeVisible()
})

test('shows an error and a retry button when the account fails to load', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  const calls = `**/api/${membership.getProfile.path}*`
  await page.route(calls, (route) => route.abort())
  await page.goto('/staff/applications')
  await expect(page.getByRole('heading', { name: 'Couldn’t load your account' })).toBeVisible()
  await page.unroute(calls)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('list', { name: 'Applications' })).toBeVisible()
})

test('hides the back office from members who are not staff', async ({ page }) => {
  await signInAs(page, 'dj@demo.test')
  await page.goto('/')
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Charts' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back office' })).toHaveCount(0)
  await page.goto('/staff/applications')
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
})

test('shows the empty state and the error state of the application queue', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  const calls = `**/api/${staff.getApplications.path}*`
  const empty = { applications: [], counts: { pending: 0, approved: 0, declined: 0 } }
  const pagination = { page: 1, perPageLimit: 24, totalCount: 0 }
  await page.route(calls, (route) => route.fulfill({ json: { data: { ...empty, pagination } } }))
  await page.goto('/staff/applications')
  await expect(page.getByRole('heading', { name: 'No pending applications' })).toBeVisible()
  await page.unroute(calls)
  await page.route(calls, (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Couldn’t load applications' })).toBeVisible()
  await page.unroute(calls)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('list', { name: 'Applications' })).toBeVisible()
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
  await songRow(view, song!)
    .getByRole('button', { name: `Add ${song!.title} to favourites` })
    .click()
  await expect(view.getByText('You’re viewing the site as DJ Marlow. This view is read-only.')).toBeVisible()

  await notice.getByRole('button', { name: 'Exit view' }).click()
  await expect(view.getByRole('button', { name: 'View as member' })).toBeVisible()
  await expect(view.getByRole('navigation', { name: 'Back office' })).toBeVisible()
})
