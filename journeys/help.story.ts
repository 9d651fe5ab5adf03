import type { Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import type { Email } from 'postal-mime'
import { getMailsTo } from './mail-server.ts'
import { createMember, openSignedIn } from './members.ts'
import { expect, openOtherBrowser, signInAs, test } from './support.ts'

/** Waits for an email that contains this text: a worker sends it in the background. */
async function waitForMail(address: string, text: string): Promise<Email> {
  const findMail = async () => (await getMailsTo(address)).findLast((mail) => mail.text?.includes(text))
  await expect.poll(async () => (await findMail()) !== undefined).toBe(true)
  return (await findMail()) as Email
}

/** Replies to an email, as a mail client does, through the server's inbound SMTP port. */
async function replyByMail(mail: Email, from: string, text: string): Promise<void> {
  const to = mail.replyTo?.[0]?.address ?? ''
  const quoted = (mail.text ?? '').split('\n').map((line) => `> ${line}`)
  const mailTransport = createTransport({ url: process.env.INBOUND_URL, ignoreTLS: true })
  await mailTransport.sendMail({
    from,
    to,
    subject: `Re: ${mail.subject}`,
    inReplyTo: mail.messageId,
    text: `${text}\n\nOn Friday, Dubplate wrote:\n${quoted.join('\n')}\n`,
  })
  mailTransport.close()
}

const descriptionField = (page: Page) => page.getByRole('textbox', { name: 'Description' })

test('a member opens a ticket with a screenshot, staff reply, and the member replies by email', async ({
  page,
  browser,
}) => {
  const member = await createMember('DJ Grey Wave')
  await openSignedIn(page, member.token, '/support/faqs')
  await expect(page.getByText('You have no tickets')).toBeVisible()
  const form = page.getByRole('form', { name: 'Submit a ticket' })
  await form.getByLabel('Department').selectOption('Downloads and player')
  await form.getByLabel('Priority').selectOption('High')
  await form.getByLabel('Subject').fill('The waveform stays grey')
  await descriptionField(page).fill('It never turns green. See the picture.')
  const screenshot = await page.screenshot()
  await form
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'grey.png', mimeType: 'image/png', buffer: screenshot })
  await expect(form.getByText('grey.png')).toBeVisible()
  await expect(form.getByRole('progressbar', { name: 'Uploading grey.png' })).toBeHidden()
  await form.getByRole('button', { name: 'Submit ticket' }).click()
  await expect(page.getByText('Ticket has been submitted successfully')).toBeVisible()
  await page
    .getByRole('link', { name: /^View ticket/ })
    .first()
    .click()
  const picture = page.getByRole('button', { name: 'Show grey.png' }).locator('img')
  await expect(picture).toBeVisible()
  expect(
    await picture.evaluate((shown: HTMLImageElement) => shown.decode().then(() => shown.naturalWidth)),
  ).toBeGreaterThan(100)

  const staffPage = await openOtherBrowser(browser)
  await signInAs(staffPage, 'staff@demo.test')
  await staffPage.goto('/staff/tickets')
  await staffPage.getByRole('link', { name: 'The waveform stays grey' }).click()
  await expect(staffPage.getByText('It never turns green. See the picture.')).toBeVisible()
  await expect(staffPage.getByRole('button', { name: 'Show grey.png' })).toBeVisible()
  await staffPage.getByRole('textbox', { name: 'Reply' }).fill('Please reload the page. Does it stay grey?')
  await staffPage.getByRole('button', { name: 'Send reply', exact: true }).click()

  // The reply appears without a reload.
  await expect(page.getByText('Please reload the page. Does it stay grey?')).toBeVisible()
  const mail = await waitForMail(member.email, 'Please reload the page.')
  await replyByMail(mail, member.email, 'Green now, thank you!')
  const reply = page.getByRole('article').filter({ hasText: 'Green now, thank you!' })
  await expect(reply).toBeVisible()
  await expect(reply.getByText('On Friday, Dubplate wrote:')).toBeHidden()
  await reply.getByText('Show quoted text').click()
  await expect(reply.getByText('On Friday, Dubplate wrote:')).toBeVisible()
  await expect(staffPage.getByText('Green now, thank you!')).toBeVisible()

  await page.getByRole('button', { name: 'Close ticket' }).click()
  await expect(page.getByRole('main').getByRole('button', { name: 'Reopen ticket' })).toBeVisible()
  await page.goto('/tickets/close')
  await expect(page.getByRole('link', { name: 'The waveform stays grey' })).toBeVisible()
})
