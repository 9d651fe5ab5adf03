import { type InputOf, membership, staff } from '@dubplate/contract'
import { ask, enterAs, expect, newestSongs, otherBrowser, rowOf, test, tokenOf } from './support.ts'

const waiting = async (input: InputOf<typeof staff.getApplications> = { page: 1 }) =>
  (await ask(staff.getApplications, input, await tokenOf('staff@demo.test'))).applications

test('applications are read and decided by keyboard, each with its reason', { tag: '@smoke' }, async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/applications')
  const cards = page.getByRole('list', { name: 'Applications' }).getByRole('listitem')
  const [first] = await waiting()
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

  const shady = page.getByRole('listitem', { name: 'DJ Whoever' })
  await shady.focus()
  await page.keyboard.press('d')
  await expect(page.getByLabel('Reason')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(shady.getByRole('alert')).toHaveText('Enter a reason. The applicant will see it.')
  await shady.getByRole('button', { name: /^The member you named/ }).click()
  // What was written outlives the page.
  await page.reload()
  await shady.getByRole('button', { name: 'Decline…' }).click()
  await expect(page.getByLabel('Reason')).toHaveValue(/^The member you named/)
  await page.getByLabel('Reason').press('Control+Enter')
  await expect(page.getByText('DJ Whoever declined. We’ve emailed the reason.')).toBeVisible()
  await expect(shady).toBeHidden()
  expect((await waiting()).map(({ dj_name }) => dj_name)).not.toContain('DJ Whoever')

  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(shady).toBeVisible()
})

test('of two of staff the second is told what the first decided', async ({ page, browser }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/applications')
  const name = 'Fatou Sound System'
  const card = page.getByRole('listitem', { name })
  await expect(card).toBeVisible()
  const other = await otherBrowser(browser)
  await enterAs(other, 'staff@demo.test')
  await other.goto('/staff/applications')
  await other.getByRole('listitem', { name }).getByRole('button', { name: 'Approve' }).click()
  await expect(other.getByText(`${name} approved and notified`)).toBeVisible()
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByText('Front Desk approved this application since you opened it. Reload before you decide.')).toBeVisible()
  await expect(card).toBeHidden()
})

test('of two notes the second is not written over the first unread', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/applications')
  const application = (await waiting()).find(({ dj_name }) => dj_name === 'Teo Contreras')!
  const card = page.getByRole('listitem', { name: application.dj_name })
  await card.getByRole('button', { name: 'Add note' }).click()
  const note = card.getByRole('textbox', { name: 'Note' })
  await note.fill('Mine, begun first.')
  const { customer_id, version } = application
  await ask(staff.noteApplication, { customer_id, version, note: 'Theirs.' }, await tokenOf('staff@demo.test'))
  await note.press('Control+Enter')
  await expect(card.getByRole('alert')).not.toBeEmpty()
  await expect(card.getByRole('paragraph').filter({ hasText: 'Theirs.' })).toBeVisible()
  await expect(note).toHaveValue('Mine, begun first.')
  await note.fill('Theirs. And mine.')
  await note.press('Control+Enter')
  await expect(note).toBeHidden()
  await expect(card.getByText('Theirs. And mine.')).toBeVisible()
})

test('whoever cannot be told from a visitor yet hears that it did not load', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  const calls = `**/api/${membership.getProfile.path}*`
  await page.route(calls, (route) => route.abort())
  await page.goto('/staff/applications')
  await expect(page.getByRole('heading', { name: 'Couldn’t load your account' })).toBeVisible()
  await page.unroute(calls)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('list', { name: 'Applications' })).toBeVisible()
})

test('whoever is not staff finds no back office', async ({ page }) => {
  await enterAs(page, 'dj@demo.test')
  await page.goto('/')
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Charts' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back office' })).toHaveCount(0)
  await page.goto('/staff/applications')
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
})

test('the queue says when nobody waits, when it did not load, and that it is for staff', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  const calls = `**/api/${staff.getApplications.path}*`
  const nobody = { applications: [], counts: { pending: 0, approved: 0, declined: 0 } }
  const pagination = { page: 1, perPageLimit: 24, totalCount: 0 }
  await page.route(calls, (route) => route.fulfill({ json: { data: { ...nobody, pagination } } }))
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

test('staff look at the pool as a member sees it, and can change nothing there', async ({ page, context }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/members')
  await page.getByRole('searchbox', { name: 'Search by DJ name, email or member number…' }).fill('dj@demo.test')
  await page.getByRole('listitem', { name: 'DJ Marlow' }).getByRole('link').click()
  const opening = context.waitForEvent('page')
  await page.getByRole('button', { name: 'View as member' }).click()
  const view = await opening
  const notice = view.getByRole('complementary', { name: 'View as member' })
  await expect(notice).toContainText('Viewing as DJ Marlow (read-only).')
  await expect(view).toHaveURL(/\/$/)
  await expect(view.getByRole('link', { name: 'Back office' })).toHaveCount(0)

  const [song] = await newestSongs(1)
  await view.goto('/newRelease')
  await rowOf(view, song!)
    .getByRole('button', { name: `Add ${song!.title} to favourites` })
    .click()
  await expect(view.getByText('You’re viewing the site as DJ Marlow. This view is read-only.')).toBeVisible()

  await notice.getByRole('button', { name: 'Exit view' }).click()
  await expect(view.getByRole('button', { name: 'View as member' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back office' })).toBeVisible()
})
