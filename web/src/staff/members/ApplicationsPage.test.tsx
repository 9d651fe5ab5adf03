import { staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeApplication, makeDashboard } from '../../../test/staffSamples.ts'

const table = page.getByRole('region', { name: 'Applications' })
const row = (name: string) => table.getByRole('row', { name, exact: true })
const panel = (name: string) => page.getByRole('complementary', { name })

/** Opens the page with applications that the fake server decides. */
async function openApplications(applications: staff.Application[], url = '/staff/applications') {
  signInAs(makeProfile({ staff_role: 'support' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(staff.getApplications, ({ state }) => ({
    applications: applications.filter((each) => each.state === state),
    counts: { pending: 4, approved: 90, declined: 2 },
    pagination: { page: 1, perPageLimit: 24, totalCount: applications.length },
  }))
  fakeApi.reply(staff.decideApplication, ({ customer_id, decision, version, reason = '' }) => {
    const application = applications.find((each) => each.customer_id === customer_id)!
    const state = ({ approve: 'approved', decline: 'declined', reopen: 'pending' } as const)[decision]
    Object.assign(application, { state, version: Number(version) + 1, reason })
    return { application }
  })
  await openApp(url)
}

async function focusRow(name: string) {
  await expect.element(row(name)).toBeVisible()
  row(name).element().focus()
}

const fatou = () =>
  makeApplication({
    ...{ customer_id: 7, dj_name: 'Fatou', email: 'fatou@pool.test', version: 3 },
    ...{ referred_by: 'DJ Kilo', referrer: { customer_id: 2, dj_name: 'DJ Kilo' } },
    ...{ dj_website: 'mixcloud.com/fatou', link: 'https://mixcloud.com/fatou', comment: 'Resident at Basement' },
  })
const teo = () => makeApplication({ customer_id: 8, dj_name: 'Teo', referred_by: 'Somebody', dj_website: 'no link' })
const uxie = () => makeApplication({ customer_id: 9, dj_name: 'Uxie' })

test('lists applications with their reference, link and comment', async () => {
  await openApplications([fatou(), teo()])
  await expect.element(row('Fatou')).toHaveTextContent(/fatou@pool\.test.*DJ Kilo is a member/)
  await expect.element(row('Fatou').getByRole('link')).toHaveAttribute('referrerpolicy', 'no-referrer')
  await expect.element(row('Teo')).toHaveTextContent(/Somebody.*No member with this name or email address/)
  await expect.element(row('Teo').getByRole('link')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Approved 90' })).toBeVisible()
})

test('filters by state and search through the URL', async () => {
  await openApplications([makeApplication({ dj_name: 'Old', state: 'declined', reason: 'No link.' })])
  await expect.element(table.getByRole('heading', { name: 'No pending applications' })).toBeVisible()
  await page.getByRole('button', { name: 'Declined 2' }).click()
  await expect.poll(currentUrl).toBe('/staff/applications?state=declined')
  await expect.element(row('Old')).toHaveTextContent('No link.')
  await page.getByRole('searchbox').fill('old')
  await expect
    .poll(() => fakeApi.inputsOf(staff.getApplications).at(-1))
    .toMatchObject({ search: 'old', state: 'declined' })
})

test('shows an error with a button that tries again', async () => {
  await openApplications([])
  fakeApi.rejectWith(staff.getApplications, { code: 'internal_error', message: 'Something went wrong.' })
  await reopenApp('/staff/applications')
  await expect.element(table.getByRole('heading', { name: 'Couldn’t load applications' })).toBeVisible()
  fakeApi.reply(staff.getApplications, { applications: [fatou()] })
  await table.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('Fatou')).toBeVisible()
})

test('approves with a key, passes the focus to the next application, and offers to undo it', async () => {
  await openApplications([fatou(), teo(), uxie()])
  await focusRow('Teo')
  await userEvent.keyboard('a')
  await expect.element(page.getByText('Teo approved and notified')).toBeVisible()
  await expect.element(row('Uxie')).toHaveFocus()
  expect(fakeApi.inputsOf(staff.decideApplication)).toMatchObject([{ customer_id: 8, decision: 'approve', version: 1 }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(row('Teo')).toBeVisible()
  expect(fakeApi.inputsOf(staff.decideApplication).at(-1)).toMatchObject({ decision: 'reopen', version: 2 })
})

test('opens the next application once the open one is decided', async () => {
  await openApplications([fatou(), teo()])
  await row('Fatou').getByText('fatou@pool.test').click()
  await expect.poll(currentUrl).toBe('/staff/applications?open=7')
  await expect.element(panel('Fatou').getByText('Resident at Basement')).toBeVisible()
  await panel('Fatou').getByRole('button', { name: 'Approve' }).click()
  await expect.element(panel('Teo')).toBeVisible()
  await panel('Teo').getByRole('button', { name: 'Approve' }).click()
  await expect.element(table.getByRole('heading', { name: 'No pending applications' })).toBeVisible()
  await expect.element(panel('Teo')).not.toBeInTheDocument()
})

test('requires a reason to decline, and keeps it over a reload', async () => {
  await openApplications([fatou(), teo()])
  await focusRow('Fatou')
  await userEvent.keyboard('d')
  const dialog = page.getByRole('dialog', { name: 'Decline Fatou’s application?' })
  await expect.element(dialog.getByLabelText('Reason')).toHaveFocus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a reason. The applicant will see it.')
  await dialog.getByRole('button', { name: /^The member you named/ }).click()
  expect(fakeApi.inputsOf(staff.decideApplication)).toEqual([])

  await reopenApp('/staff/applications')
  await focusRow('Fatou')
  await userEvent.keyboard('d')
  await expect
    .element(dialog.getByLabelText('Reason'))
    .toHaveValue('The member you named couldn’t confirm your reference.')
  await dialog.getByLabelText('Reason').click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('Fatou declined. We’ve emailed the reason.')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(row('Teo')).toHaveFocus()
  expect(sessionStorage.getItem('dubplate.draft.decline.7')).toBeNull()
})

test('keeps the reason in the dialog when someone else was faster', async () => {
  await openApplications([fatou()])
  fakeApi.rejectWith(staff.decideApplication, {
    code: 'already_decided',
    message: 'Front Desk approved this application since you opened it.',
  })
  await focusRow('Fatou')
  await userEvent.keyboard('d')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Mine')
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Front Desk approved this application')
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue('Mine')
  await expect.poll(() => fakeApi.inputsOf(staff.getApplications).length).toBe(2)
})

test('says who was faster when an application is already decided, and reloads the list', async () => {
  await openApplications([fatou()])
  await focusRow('Fatou')
  fakeApi.rejectWith(staff.decideApplication, {
    code: 'already_decided',
    message: 'Front Desk approved this application since you opened it.',
  })
  fakeApi.reply(staff.getApplications, { applications: [] })
  await userEvent.keyboard('a')
  await expect.element(page.getByText('Front Desk approved this application since you opened it.')).toBeVisible()
  await expect.element(row('Fatou')).not.toBeInTheDocument()
})

test('approves the selected applications one after the other, with one message', async () => {
  await openApplications([fatou(), teo(), uxie()])
  await focusRow('Fatou')
  await userEvent.keyboard('xjx')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect.element(page.getByText('2 applications approved. We’ve emailed the applicants.')).toBeVisible()
  expect(fakeApi.inputsOf(staff.decideApplication).map(({ customer_id }) => customer_id)).toEqual([7, 8])
  await expect.element(row('Uxie')).toBeVisible()
  await expect.element(row('Teo')).not.toBeInTheDocument()
})

test('reopens a decided application with a key', async () => {
  await openApplications(
    [makeApplication({ dj_name: 'Old', state: 'approved', decided_by: 'Front Desk' })],
    '/staff/applications?state=approved',
  )
  await focusRow('Old')
  await userEvent.keyboard('a')
  await userEvent.keyboard('u')
  await expect.element(page.getByText('Old moved back to pending. We’ve emailed them.')).toBeVisible()
  expect(fakeApi.inputsOf(staff.decideApplication)).toMatchObject([{ decision: 'reopen' }])
})

test('shows a newer note above the form, and keeps the text that could not be saved', async () => {
  await openApplications([fatou()])
  await focusRow('Fatou')
  await userEvent.keyboard('n')
  const note = panel('Fatou').getByRole('textbox', { name: 'Note' })
  await expect.element(note).toHaveFocus()
  await note.fill('Mine')
  fakeApi.reply(staff.noteApplication, ({ version }) => {
    if (version === 3) throw errorReply({ code: 'already_decided', message: 'Someone else changed this note.' })
    return { application: fatou() }
  })
  fakeApi.reply(staff.getApplications, { applications: [{ ...fatou(), note: 'Theirs', version: 4 }] })
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(panel('Fatou').getByRole('alert')).toHaveTextContent('Someone else changed this note.')
  await expect.element(panel('Fatou').getByText('Theirs')).toBeVisible()
  await expect.element(note).toHaveValue('Mine')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(note).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(staff.noteApplication).at(-1)).toEqual({ customer_id: 7, version: 4, note: 'Mine' })
  await expect.element(row('Fatou')).toHaveFocus()
})

test('says that an address is not verified, before and after the decision', async () => {
  await openApplications([makeApplication({ dj_name: 'Vera', email: 'vera@pool.test', email_verified: false })])
  await expect.element(row('Vera')).toHaveTextContent('vera@pool.test · not verified')
  await focusRow('Vera')
  await userEvent.keyboard('{Enter}')
  await expect.element(panel('Vera').getByText('this address may belong to someone else')).toBeVisible()
  await userEvent.keyboard('a')
  await expect.element(page.getByText('Vera approved. No email was sent')).toBeVisible()
})
