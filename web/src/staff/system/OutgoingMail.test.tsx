import { staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeEmail } from '../../../test/staffSamples.ts'

const table = page.getByRole('region', { name: 'Email' })

async function openEmails(mails: staff.OutgoingMail[], { isSent = true, url = '/staff/outgoing-mail' } = {}) {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard({ mail_failed: 2 }))
  fakeApi.reply(staff.getOutgoingMail, {
    mails,
    is_sent: isSent,
    counts: { waiting: 0, sent: 1, failed: 2, bounced: 1 },
    pagination: { page: 1, perPageLimit: 50, totalCount: mails.length },
  })
  await openApp(url)
}

test('loads the text of an email when it is opened, with links, and resends it', async () => {
  const email = makeEmail({
    mail_id: 3,
    subject: 'Welcome',
    to: 'dj@pool.test',
    state: 'failed',
    last_error: 'No route',
  })
  await openEmails([email])
  fakeApi.reply(staff.getMail, { mail: { ...email, text: 'Hello! https://pool.test/confirm?x=1' } })
  await expect.element(table.getByRole('row', { name: 'Welcome, to dj@pool.test' })).toHaveTextContent('No route')
  expect(fakeApi.inputsOf(staff.getMail)).toEqual([])
  await table.getByText('Welcome').click()
  const panel = page.getByRole('complementary', { name: 'Welcome' })
  await expect
    .element(panel.getByRole('link', { name: 'https://pool.test/confirm?x=1' }))
    .toHaveAttribute('href', 'https://pool.test/confirm?x=1')
  await panel.getByRole('button', { name: 'Resend' }).click()
  await expect.poll(() => fakeApi.inputsOf(staff.sendMailAgain)).toEqual([{ mail_id: 3 }])
})

test('says that email is not set up, and does not offer to resend', async () => {
  await openEmails([makeEmail({ subject: 'Welcome', state: 'sent' })], { isSent: false })
  await expect.element(page.getByRole('note')).toHaveTextContent('SMTP_URL')
  await table.getByText('Welcome').click()
  const panel = page.getByRole('complementary', { name: 'Welcome' })
  await expect.element(panel).toBeVisible()
  await expect.element(panel.getByRole('button', { name: 'Resend' })).not.toBeInTheDocument()
})

test('counts emails by status, failed ones in the navigation too', async () => {
  await openEmails([], { url: '/staff/outgoing-mail?state=bounced' })
  await expect.element(page.getByRole('button', { name: 'Bounced 1' })).toHaveAttribute('aria-pressed', 'true')
  await expect.element(page.getByRole('link', { name: 'Email 2 failed' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'No emails yet' })).toBeVisible()
})
