import { account, type billing, members, payments, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as contract from '../../../../contract/src/index.ts'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { sampleOf } from '../../../test/sampleOf.ts'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeMember, makePayment } from '../../../test/staffSamples.ts'
import type { MemberData } from './memberStatus.ts'

type Member = MemberData['member']
type Role = NonNullable<ReturnType<typeof makeProfile>['staff_role']>

const makeMemberData = (member: Partial<Member> = {}, rest: Partial<MemberData> = {}): MemberData => ({
  ...(sampleOf(contract.members.getMember.reply) as MemberData),
  member: {
    ...(sampleOf(contract.members.getMember.reply) as MemberData).member,
    ...makeMember({ customer_id: 7 }),
    application: null,
    name: 'Robin Marlow',
    ...member,
  },
  groups: [
    { group_id: 1, name: 'Newcomer' },
    { group_id: 2, name: 'Downloading member' },
  ],
  ...rest,
})

const makeAgreement = (overrides: Partial<billing.Agreement> = {}): billing.Agreement => ({
  ...(sampleOf(contract.billing.agreement) as billing.Agreement),
  subscription_id: 3,
  subscription_title: 'Standard',
  plan_price: '14.99',
  currency: 'USD',
  profile_status: 'Active',
  interval: 'month',
  next_payment_date: '2026-12-05T00:00:00Z',
  payment_method: { kind: 'credit_card', brand: 'Visa', last_four: '4242', expires: '08/28' },
  ...overrides,
})

async function openMember(data: MemberData, { role = 'support' as Role, url = '/staff/members/7' } = {}) {
  signInAs(makeProfile({ customer_id: 1, staff_role: role }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(members.getMember, data)
  await openApp(url)
}

const section = (name: string) => page.getByRole('region', { name, exact: true })
const check = (step: members.DownloadStep['step'], ok: boolean, sentence: string): members.DownloadStep => ({
  step,
  ok,
  code: ok ? null : 'forbidden',
  sentence,
})
const openAction = async (name: string) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

test('shows who the member is, their figures and their subscription', async () => {
  const downloads = { total: 1204, lately: 86, newest: [] }
  await openMember(makeMemberData({}, { downloads, agreement: makeAgreement() }))
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('DJ Marlow')
  await expect.poll(() => document.title).toMatch(/^DJ Marlow · Members/)
  await expect.element(page.getByRole('link', { name: 'Send email' })).toHaveAttribute('href', 'mailto:dj@pool.test')
  await expect.element(page.getByText('1,204')).toBeVisible()
  await expect.element(section('Subscription')).toHaveTextContent(/Paid.*Standard.*\$14\.99 a month.*Visa •••• 4242/)
  await expect.element(section('Subscription').getByRole('link')).not.toBeInTheDocument()
})

test('lists failed checks first, with a button for what fixes them', async () => {
  fakeApi.reply(members.whyNoDownload, {
    steps: [check('account', true, 'The account is active.'), check('group', false, 'This group can’t download.')],
  })
  await openMember(makeMemberData())
  const downloadCheck = section('Download check')
  await expect.element(downloadCheck.getByText('No, 1 problem')).toBeVisible()
  await expect.element(downloadCheck.getByRole('listitem').first()).toHaveTextContent('Problem: Group')
  await downloadCheck.getByRole('button', { name: 'Change group…' }).click()
  await page.getByRole('dialog').getByLabelText('Group').selectOptions('Newcomer')
  await page.getByRole('dialog').getByRole('button', { name: 'Change group' }).click()
  await expect.poll(() => fakeApi.inputsOf(members.changeGroup)).toEqual([{ customer_id: 7, group_id: 1 }])
})

test('says that a member can download, and checks the version in the URL', async () => {
  fakeApi.reply(members.whyNoDownload, ({ song_version_id }) => ({
    steps: [check('account', true, 'The account is active.')],
    version: song_version_id
      ? { song_version_id: Number(song_version_id), title: 'Glass', artist: 'Ada Vale', version_label: 'Clean' }
      : null,
  }))
  await openMember(makeMemberData(), { url: '/staff/members/7?version=12' })
  await expect.element(section('Download check').getByText('Ada Vale – Glass (Clean)')).toBeVisible()
  await expect.element(section('Download check').getByText('Yes')).toBeVisible()
  await section('Download check').getByRole('button', { name: 'Check another version' }).click()
  await expect.poll(currentUrl).toBe('/staff/members/7')
  expect(fakeApi.inputsOf(members.whyNoDownload).map(({ song_version_id }) => song_version_id)).toEqual([12, undefined])
})

test('keeps the tab in the URL, and shows payments only to billing and admins', async () => {
  const newest = [{ ...sampleTicket, subject: 'Wrong key' }]
  await openMember(makeMemberData({}, { tickets: { open: 1, total: 1, newest } }))
  await page.getByRole('tab', { name: 'Tickets' }).click()
  await expect.poll(currentUrl).toBe('/staff/members/7?tab=tickets')
  await expect.element(section('Tickets').getByRole('link', { name: 'Wrong key' })).toBeVisible()
  await expect.element(page.getByRole('tab', { name: 'Payments' })).not.toBeInTheDocument()
})

const sampleTicket = { ticket_number: 4, subject: '', status: 'open', modified_at: '2026-11-20T10:00:00Z' } as const

test('lists payments with links to all of them', async () => {
  fakeApi.reply(payments.getPayments, { payments: [makePayment({ plan_name: 'Standard' })] })
  await openMember(makeMemberData(), { role: 'billing', url: '/staff/members/7?tab=payments' })
  await expect.element(section('Newest payments')).toHaveTextContent(/Standard.*\$15\.00/)
  await expect
    .element(section('Newest payments').getByRole('link', { name: 'Payments' }))
    .toHaveAttribute('href', '/staff/payments?member=7')
  expect(fakeApi.inputsOf(payments.getPayments)).toMatchObject([{ customer_id: 7, state: 'paid' }])
})

test('offers actions by role', async () => {
  await openMember(makeMemberData({ staff_role: 'curator' }))
  await expect.element(page.getByText('Only admins can edit staff accounts.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'More actions' })).not.toBeInTheDocument()
  await openMember(makeMemberData(), { role: 'billing' })
  await expect.element(page.getByRole('link', { name: 'Send email' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'View as member' })).not.toBeInTheDocument()
  await openMember(makeMemberData(), { role: 'admin' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Change role…' })).toBeVisible()
})

test('suspends a member with a reason, which is kept until it is sent', async () => {
  fakeApi.rejectWith(members.suspend, { code: 'conflict', message: 'This member is already suspended.' })
  await openMember(makeMemberData())
  await openAction('Suspend…')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect.element(dialog.getByText('Enter a reason. Your colleagues will see it.')).toBeVisible()
  expect(fakeApi.inputsOf(members.suspend)).toEqual([])
  await dialog.getByRole('textbox').fill('Shared the account')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect.element(dialog.getByText('This member is already suspended.')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await openAction('Suspend…')
  await expect.element(dialog.getByRole('textbox')).toHaveValue('Shared the account')
  fakeApi.reply(members.suspend, { member: makeMember() })
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(members.suspend).at(-1)).toEqual({ customer_id: 7, reason: 'Shared the account' })
  await expect.element(page.getByText('DJ Marlow suspended and signed out')).toBeVisible()
})

test('changes the role, and signs out everywhere', async () => {
  fakeApi.reply(members.changeRole, { member: makeMember() })
  fakeApi.reply(members.signOutEverywhere, { ended: 2 })
  await openMember(makeMemberData(), { role: 'admin' })
  const dialog = page.getByRole('dialog')
  await openAction('Change role…')
  await dialog.getByLabelText('Back-office role').selectOptions('Curator')
  await dialog.getByRole('button', { name: 'Change role' }).click()
  await expect.element(page.getByText('DJ Marlow is now Curator')).toBeVisible()
  expect(fakeApi.inputsOf(members.changeRole)).toEqual([{ customer_id: 7, staff_role: 'curator' }])
  await openAction('Sign out everywhere…')
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.element(page.getByText('DJ Marlow signed out of 2 sessions')).toBeVisible()
})

test('asks staff to confirm who they are, and then finishes the change without asking for it again', async () => {
  let isConfirmed = false
  fakeApi.reply(members.changeRole, () => {
    if (!isConfirmed) throw errorReply({ code: 'confirm_identity', message: 'Confirm.', data: { method: 'password' } })
    return { member: makeMember() }
  })
  const message = 'This password is incorrect.'
  fakeApi.rejectWith(account.confirmIdentity, { code: 'incorrect_password', message, fields: { password: message } })
  await openMember(makeMemberData(), { role: 'admin' })
  await openAction('Change role…')
  await page.getByRole('dialog').getByLabelText('Back-office role').selectOptions('Curator')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  const identity = page.getByRole('dialog', { name: 'Confirm it’s you' })
  const password = identity.getByLabelText('Password', { exact: true })
  await expect.element(password).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(password).toHaveAccessibleDescription('Enter your password.')
  await password.fill('wrong')
  await userEvent.keyboard('{Enter}')
  await expect.element(password).toHaveAccessibleDescription(message)
  await expect.element(password).toHaveFocus()
  fakeApi.reply(account.confirmIdentity, () => {
    isConfirmed = true
    return { minutes: 10 }
  })
  await password.fill('right')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('DJ Marlow is now Curator')).toBeVisible()
  expect(fakeApi.inputsOf(account.confirmIdentity)).toEqual([{ password: 'wrong' }, { password: 'right' }])
})

test('lifts a suspension, without a reason', async () => {
  fakeApi.reply(members.liftSuspension, { member: makeMember() })
  await openMember(makeMemberData({ status: 'suspended' }))
  const dialog = page.getByRole('dialog')
  await openAction('Lift suspension…')
  await dialog.getByRole('button', { name: 'Lift suspension' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(members.liftSuspension)).toEqual([{ customer_id: 7, reason: '' }])
})

test('saves notes, and deletes only one’s own', async () => {
  const note = { staff_note_id: 1, kind: 'note', text: 'Resident in Leeds', at: '2026-11-20T10:00:00Z' } as const
  const notes = [
    { ...note, by: { customer_id: 1, dj_name: 'Front Desk' } },
    { ...note, staff_note_id: 2, text: 'Not mine', by: { customer_id: 9, dj_name: 'Back Desk' } },
  ]
  fakeApi.reply(members.writeNote, ({ text }) => {
    if (text === 'Too early') throw errorReply({ code: 'unknown_member', message: 'Member not found.' })
    return { notes }
  })
  await openMember(makeMemberData({}, { notes }))
  const staffNotes = section('Staff notes')
  const field = staffNotes.getByRole('textbox', { name: 'New note' })
  await field.fill('Too early')
  await staffNotes.getByRole('button', { name: 'Save note' }).click()
  await expect.element(page.getByText('Couldn’t save note')).toBeVisible()
  await expect.element(field).toHaveValue('Too early')
  await field.fill('Asked for garage')
  await staffNotes.getByRole('button', { name: 'Save note' }).click()
  await expect.element(field).toHaveValue('')
  await staffNotes.getByRole('button', { name: 'Delete note' }).click()
  await expect.poll(() => fakeApi.inputsOf(members.removeNote)).toEqual([{ staff_note_id: 1 }])
})

test('says that there is no such member, and offers to try again after an error', async () => {
  fakeApi.rejectWith(members.getMember, { code: 'unknown_member', message: 'Member not found.' })
  signInAs(makeProfile({ staff_role: 'support' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  await openApp('/staff/members/99')
  await expect.element(page.getByRole('heading', { name: 'Member not found' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Back to members' })).toBeVisible()
  fakeApi.rejectWith(members.getMember, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/staff/members/98')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load this member' })).toBeVisible()
  fakeApi.reply(members.getMember, makeMemberData())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('DJ Marlow')
})
