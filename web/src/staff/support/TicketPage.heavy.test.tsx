import { helpdesk, type ReplyOf, staff, support } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { openApp, reopenApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeTicket } from '../../../test/staffSamples.ts'

type TicketReply = ReplyOf<typeof support.getTicket>

const reply = page.getByRole('textbox', { name: 'Reply' })
const details = page.getByRole('complementary', { name: 'Ticket details' })
const picker = page.getByRole('dialog', { name: 'Saved replies' })
const search = picker.getByRole('combobox')

const makeReply = (overrides: Partial<TicketReply['replies'][number]> = {}): TicketReply['replies'][number] => ({
  ...{ id: 1, author: 'DJ Marlow', admin_id: 0, details: '<p>Hello?</p>', quoted: '', via: 'page' as const },
  ...{ attachments: [], created_at: '2026-11-20T11:00:00Z' },
  ...overrides,
})

const makeTicketReply = (ticket: Partial<TicketReply['ticket']> = {}, rest: Partial<TicketReply> = {}) => ({
  ticket: {
    ...makeTicket({ ticket_number: 41, subject: 'The waveform stays grey' }),
    ...{ details: '<p>It never turns green.</p>', author: 'DJ Marlow', attachments: [], closed_at: null },
    ...ticket,
  },
  replies: [makeReply()],
  pagination: { page: 1, perPageLimit: 20, totalCount: 1 },
  watch_url: '',
  rejected_mail: [],
  ...rest,
})

async function openTicket(ticket: Partial<TicketReply['ticket']> = {}, rest: Partial<TicketReply> = {}) {
  signInAs(makeProfile({ staff_role: 'support', customer_id: 5 }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(support.getTicket, makeTicketReply(ticket, rest))
  fakeApi.reply(support.getColleagues, { colleagues: [{ customer_id: 5, dj_name: 'Front Desk' }] })
  fakeApi.reply(helpdesk.getDepartments, {
    departments: [
      { id: 1, name: 'Downloads' },
      { id: 2, name: 'Billing' },
    ],
  })
  fakeApi.reply(helpdesk.getPriorities, {
    priorities: [
      { id: 1, name: 'Normal' },
      { id: 2, name: 'High' },
    ],
  })
  await openApp('/staff/tickets/41')
}

test('shows the messages, who wrote them, and what staff know about the ticket', async () => {
  await openTicket(
    { is_overdue: true },
    { rejected_mail: [{ verdict: 'stranger', from: 'x@y.test', detail: 'Spam', received_at: '2026-11-20T10:00:00Z' }] },
  )
  await expect.element(page.getByRole('heading', { level: 1, name: 'The waveform stays grey' })).toBeVisible()
  await expect.poll(() => document.title).toMatch(/^The waveform stays grey · Tickets ·/)
  await expect.element(page.getByText('It never turns green.')).toBeVisible()
  await expect.element(page.getByText(/^Overdue · Waiting/)).toBeVisible()
  await expect.element(details.getByRole('link', { name: 'DJ Marlow' })).toHaveAttribute('href', '/staff/members/7')
  await expect
    .element(details.getByRole('link', { name: 'View all tickets' }))
    .toHaveAttribute('href', '/staff/tickets?state=all&find=dj%40pool.test')
  await details.getByText('1 email filtered out').click()
  await expect.element(details.getByText('Unknown sender')).toBeVisible()
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Tickets' }).click()
  await expect.element(page.getByRole('region', { name: 'Tickets' })).toBeVisible()
})

test('saves each property at once, and keeps a former colleague selectable', async () => {
  await openTicket({ assigned_to: { customer_id: 9, dj_name: 'Gone Desk' } })
  const assignedTo = details.getByRole('combobox', { name: 'Assigned to' })
  await expect.element(assignedTo).toHaveValue('Gone Desk')
  await details.getByRole('combobox', { name: 'Priority' }).click()
  await page.getByRole('option', { name: 'High' }).click()
  await details.getByRole('combobox', { name: 'Department' }).click()
  await page.getByRole('option', { name: 'Billing' }).click()
  await assignedTo.click()
  await page.getByRole('option', { name: 'Unassigned' }).click()
  await details.getByRole('button', { name: 'Assign to me' }).click()
  await details.getByRole('button', { name: 'Close ticket' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(support.changeTicket))
    .toEqual([
      { ticket_number: 41, priority_id: 2 },
      { ticket_number: 41, department_id: 2 },
      { ticket_number: 41, assigned_to: 0 },
      { ticket_number: 41, assigned_to: 5 },
      { ticket_number: 41, status: 'close' },
    ])
})

test('shows messages that arrived first before it sends the reply, which is kept', async () => {
  await openTicket()
  await expect.element(page.getByRole('button', { name: 'Saved replies' })).toBeVisible()
  await reply.fill('Please reload the page.')
  fakeApi.reply(support.answerTicket, ({ after_reply_id }) => {
    if (after_reply_id === 1)
      throw errorReply({ code: 'reply_conflict', message: 'DJ Marlow has replied since you opened this ticket.' })
    return { reply: makeReply(), ticket: makeTicket() }
  })
  fakeApi.reply(
    support.getTicket,
    makeTicketReply({}, { replies: [makeReply(), makeReply({ id: 2, details: '<p>Green now!</p>' })] }),
  )
  await page.getByRole('button', { name: 'Send reply', exact: true }).click()
  await expect.element(page.getByText('DJ Marlow has replied since you opened this ticket.')).toBeVisible()
  await expect.element(page.getByText('Green now!')).toBeVisible()
  await expect.element(reply).toHaveTextContent('Please reload the page.')
  await page.getByRole('button', { name: 'Send and close' }).click()
  await expect.element(page.getByText('Reply sent and ticket 41 closed')).toBeVisible()
  expect(fakeApi.inputsOf(support.answerTicket).at(-1)).toMatchObject({ close: true, after_reply_id: 2 })
})

test('keeps a draft of the reply over a reload', async () => {
  await openTicket()
  await expect.element(page.getByRole('button', { name: 'Saved replies' })).toBeVisible()
  await reply.fill('Half a sentence')
  await expect.poll(() => sessionStorage.getItem('dubplate.draft.form.answer.41')).toMatch('Half a sentence')
  await reopenApp('/staff/tickets/41')
  await expect.element(reply).toHaveTextContent('Half a sentence')
})

async function openPicker() {
  const makeSavedReply = (saved_reply_id: number, title: string, answer: string) => ({
    ...{ saved_reply_id, title, answer, version: 1, used: 0, last_used_at: null },
    ...{ written_by: null, updated_at: '2026-11-20T10:00:00Z' },
  })
  fakeApi.reply(support.getSavedReplies, {
    answers: [
      makeSavedReply(1, 'Welcome', '<p>Hello {dj_name}</p>'),
      makeSavedReply(2, 'Stalled', '<p>Resume it.</p>'),
      makeSavedReply(3, 'Refund', '<p>On its way.</p>'),
    ],
  })
  await openTicket()
  await expect.element(page.getByRole('button', { name: 'Saved replies' })).toBeVisible()
  await reply.click()
  await userEvent.keyboard('/')
  await expect.element(search).toHaveFocus()
}

const activeOption = () => picker.getByRole('option', { selected: true })

test('inserts a saved reply at the caret, found and chosen with keys', async () => {
  await openPicker()
  fakeApi.reply(support.fillSavedReply, { html: '<p>Resume it, DJ Marlow.</p>' })
  await expect.element(picker.getByRole('status')).toHaveTextContent('3 saved replies')
  await expect.element(activeOption()).toHaveTextContent('Welcome')
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(activeOption()).toHaveTextContent('Refund')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(activeOption()).toHaveTextContent('Stalled')
  await expect.element(search).toHaveAttribute('aria-activedescendant', activeOption().element().id)
  await userEvent.keyboard('{End}')
  await expect.element(activeOption()).toHaveTextContent('Refund')
  await userEvent.keyboard('RESUME stalled')
  await expect.element(picker.getByRole('status')).toHaveTextContent('1 saved reply')
  await userEvent.keyboard('{Enter}')
  await expect.element(picker).not.toBeInTheDocument()
  await expect.element(reply).toHaveTextContent('Resume it, DJ Marlow.')
  await expect.element(reply).toHaveFocus()
  expect(fakeApi.inputsOf(support.fillSavedReply)).toEqual([{ saved_reply_id: 2, ticket_number: 41 }])
})

test('leaves the slash when the picker is closed with Escape', async () => {
  await openPicker()
  await userEvent.keyboard('{Escape}')
  await expect.element(picker).not.toBeInTheDocument()
  await expect.element(reply).toHaveTextContent('/')
})

test('says why a saved reply could not be inserted', async () => {
  await openPicker()
  fakeApi.rejectWith(support.fillSavedReply, { code: 'unknown_saved_reply', message: 'This saved reply was deleted.' })
  await picker.getByRole('option', { name: 'Stalled' }).click()
  await expect.element(picker.getByRole('alert')).toHaveTextContent('This saved reply was deleted.')
})

test('explains that a ticket does not exist', async () => {
  await openTicket()
  fakeApi.rejectWith(support.getTicket, { code: 'unknown_ticket', message: 'Unknown ticket.' })
  await reopenApp('/staff/tickets/41')
  await expect.element(page.getByRole('heading', { name: 'Ticket not found' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Back to tickets' })).toHaveAttribute('href', '/staff/tickets')
})
