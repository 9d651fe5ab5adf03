import { helpdesk, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, press } from '../../test/locators.ts'
import { makeMemberTicket, makePicture, makeReply } from '../../test/memberSamples.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

type TicketReply = ReplyOf<typeof helpdesk.getTicket>

const reply = page.getByRole('textbox', { name: 'Your reply' })
const toolbar = page.getByRole('button', { name: 'Bold' })

const makeTicketReply = (ticket: Partial<TicketReply['ticket']>, rest: Partial<TicketReply>): TicketReply => ({
  ticket: {
    ...makeMemberTicket(),
    ...{ details: '<p>It never turns green.</p>', author: 'DJ Marlow', attachments: [], closed_at: null },
    ...ticket,
  },
  ...{ replies: [], pagination: { page: 1, perPageLimit: 10, totalCount: 1 }, watch_url: '' },
  ...rest,
})

async function openTicket(ticket: Partial<TicketReply['ticket']> = {}, rest: Partial<TicketReply> = {}, query = '') {
  fakeApi.reply(helpdesk.getTicket, makeTicketReply(ticket, rest))
  signInAs(makeProfile())
  await openApp(`/ticket/details/41${query}`)
}

test('shows the messages, who wrote them, and what an email quoted', async () => {
  await openTicket({}, { replies: [makeReply({ via: 'mail', quoted: '<p>On Friday, you wrote</p>' })] })
  await expect.element(page.getByRole('heading', { level: 2, name: 'The waveform stays grey' })).toBeVisible()
  await expect.element(page.getByText('It never turns green.')).toBeVisible()
  const message = page.getByRole('article').filter({ hasText: 'Here it is.' })
  await expect.element(message).toHaveTextContent(/Front Desk.*Staff.*Via email/)
  await expect.element(message.getByText('On Friday, you wrote')).not.toBeVisible()
  await message.getByText('Show quoted text').click()
  await expect.element(message.getByText('On Friday, you wrote')).toBeVisible()
})

test('collapses the original message on later pages', async () => {
  await openTicket({}, { replies: [makeReply()], pagination: { page: 2, perPageLimit: 10, totalCount: 11 } }, '?page=2')
  await expect.element(page.getByText('Here it is.')).toBeVisible()
  await expect.element(page.getByText('It never turns green.')).not.toBeVisible()
  await page.getByText('Show original message').click()
  await expect.element(page.getByText('It never turns green.')).toBeVisible()
})

test('keeps a reply that could not be sent, over a reload too, and goes to the last page once it is sent', async () => {
  await openTicket({ status: 'close' }, {}, '?page=1')
  await expect.element(page.getByText('This ticket is closed. Replying reopens it.')).toBeVisible()
  await expect.element(toolbar).toBeVisible()
  await press(page, 'Send reply')
  await expect.element(page.getByText('Message cannot be blank!')).toBeVisible()
  await reply.fill('Green now, thank you!')
  fakeApi.setOffline(true)
  await press(page, 'Send reply')
  await expect.element(page.getByText('You’re offline. Try again when you’re back online.')).toBeVisible()
  fakeApi.setOffline(false)

  await reopenApp('/ticket/details/41?page=1')
  await expect.element(reply).toHaveTextContent('Green now, thank you!')
  await press(page, 'Send reply')
  await expect.element(page.getByText('Reply sent.')).toBeInTheDocument()
  await expect.element(reply).toHaveTextContent('')
  await expect.poll(currentUrl).toBe('/ticket/details/41')
  expect(fakeApi.inputsOf(helpdesk.replyToTicket)).toMatchObject([
    { ticket_number: 41, details: '<p>Green now, thank you!</p>', attachments: [] },
  ])
})

test('closes the ticket, and reopens it when that is undone', async () => {
  await openTicket()
  await page.getByRole('main').getByRole('button', { name: 'Close ticket' }).click()
  await expect.element(page.getByText('Ticket 41 closed.')).toBeVisible()
  fakeApi.rejectWith(helpdesk.reopenTicket, { code: 'unknown_ticket', message: 'This ticket was deleted.' })
  await page.getByRole('button', { name: 'Reopen', exact: true }).click()
  await expect.element(page.getByText('Couldn’t reopen the ticket')).toBeVisible()
  expect(fakeApi.inputsOf(helpdesk.closeTicket)).toEqual([{ ticket_number: 41 }])
  expect(fakeApi.inputsOf(helpdesk.reopenTicket)).toEqual([{ ticket_number: 41 }])
})

test('marks and announces replies that arrive while the ticket is open', async () => {
  await openTicket({}, { replies: [makeReply()] })
  await expect.element(page.getByText('Here it is.')).toBeVisible()
  fakeApi.reply(
    helpdesk.getTicket,
    makeTicketReply(
      {},
      {
        replies: [makeReply(), makeReply({ id: 2, details: '<p>Did that help?</p>' })],
        pagination: { page: 1, perPageLimit: 10, totalCount: 2 },
      },
    ),
  )
  await page.getByRole('main').getByRole('button', { name: 'Close ticket' }).click()
  await expect.element(page.getByRole('article').filter({ hasText: 'Did that help?' })).toHaveTextContent(/New/)
  await expect.element(page.getByText('New reply from Front Desk.')).toBeInTheDocument()
})

test('shows pictures at full size, moves between them with the arrow keys and closes with Escape', async () => {
  await openTicket({ attachments: [makePicture(1, 'one.png'), makePicture(2, 'two.png')] })
  const opener = page.getByRole('button', { name: 'Show one.png' })
  await opener.click()
  await expect.element(page.getByRole('dialog', { name: 'one.png' })).toBeVisible()
  await userEvent.keyboard('{ArrowLeft}')
  const second = page.getByRole('dialog', { name: 'two.png' })
  await expect.element(second).toBeVisible()
  await expect
    .element(second.getByRole('link', { name: 'Download two.png' }))
    .toHaveAttribute('href', '/ticket-files/2?download=1')
  await userEvent.keyboard('{Escape}')
  await expect.element(second).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('explains that a ticket does not exist', async () => {
  fakeApi.rejectWith(helpdesk.getTicket, { code: 'unknown_ticket', message: 'Ticket not found.' })
  signInAs(makeProfile())
  await openApp('/ticket/details/41')
  await expect.element(page.getByText('You don’t have a ticket with this number.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'See all tickets' })).toHaveAttribute('href', '/tickets/all')
})
