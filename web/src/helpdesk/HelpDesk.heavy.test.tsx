import { helpdesk } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, press } from '../../test/locators.ts'
import { makeMemberTicket } from '../../test/memberSamples.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const FAQS = [
  { faq_id: 1, question: 'How many times may I download a song?', answer: '<p>Twice.</p>' },
  { faq_id: 2, question: 'Where do I cancel?', answer: '<p>Under Subscription.</p>' },
]
const SUMMARY = { total: 12, open: 10, close: 2 }
const ticket = page.getByRole('link', { name: 'View ticket 41: The waveform stays grey' })

test('searches the FAQs, and keeps the search and the open question in the URL', async () => {
  fakeApi.reply(helpdesk.getFaqs, { faqs: FAQS })
  await openApp('/support/faqs')
  await page.getByText('Where do I cancel?').click()
  await expect.element(page.getByText('Under Subscription.')).toBeVisible()
  await expect.poll(currentUrl).toBe('/support/faqs?faq=2')
  await page.getByRole('searchbox', { name: 'Search FAQs' }).fill('twice')
  await expect.element(page.getByText('1 question found')).toBeInTheDocument()
  await expect.element(page.getByText('Where do I cancel?')).not.toBeInTheDocument()
  await page.getByRole('searchbox', { name: 'Search FAQs' }).fill('vinyl')
  await expect.element(page.getByText('No FAQs match “vinyl”.')).toBeVisible()
  await expect.poll(currentUrl).toBe('/support/faqs?faq=2&find=vinyl')
  await expect.element(page.getByText('Sign in to contact us')).toBeVisible()
})

test('opens the question that the URL names', async () => {
  fakeApi.reply(helpdesk.getFaqs, { faqs: FAQS })
  await openApp('/support/faqs?faq=2')
  await expect.element(page.getByText('Under Subscription.')).toBeVisible()
  await expect.element(page.getByText('Twice.')).not.toBeVisible()
})

test('shows the member’s tickets with who has to reply and new replies', async () => {
  fakeApi.reply(helpdesk.getRecentTickets, {
    tickets: [makeMemberTicket({ unread: 2, awaiting_reply_from: 'customer' })],
    summary: SUMMARY,
  })
  signInAs(makeProfile())
  await openApp('/support/faqs')
  const row = page.getByRole('list', { name: 'Recent tickets' }).getByRole('listitem')
  await expect.element(row).toHaveTextContent(/Open/)
  await expect.element(row).toHaveTextContent(/#41.*Downloads.*High.*Replied.*2 new replies/)
  await expect.element(page.getByRole('link', { name: '10 Open' })).toHaveAttribute('href', '/tickets/open')
  await expect.element(page.getByRole('link', { name: 'See all' })).toHaveAttribute('href', '/tickets/all')
})

test('lists the tickets of a status in pages', async () => {
  fakeApi.reply(helpdesk.getTickets, ({ page: number }) => ({
    tickets: [makeMemberTicket()],
    summary: SUMMARY,
    pagination: { page: Number(number), perPageLimit: 10, totalCount: 12 },
  }))
  signInAs(makeProfile())
  await openApp('/tickets/all')
  await expect.element(ticket).toBeVisible()
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect.poll(() => fakeApi.inputsOf(helpdesk.getTickets).at(-1)).toMatchObject({ page: 2, status: 'all' })
  fakeApi.reply(helpdesk.getTickets, { tickets: [], summary: SUMMARY })
  await page.getByRole('link', { name: '2 Closed' }).click()
  await expect.element(page.getByText('No tickets with this status.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: '2 Closed' })).toHaveAttribute('aria-current', 'page')
})

test('shows placeholders while the tickets load, and loads them again after an error', async () => {
  const release = fakeApi.holdReply(helpdesk.getTickets)
  fakeApi.rejectWith(helpdesk.getTickets, { code: 'internal_error', message: 'Something went wrong.' })
  signInAs(makeProfile())
  await openApp('/tickets/open')
  await expect.element(page.getByRole('list', { name: 'Loading tickets…' })).toBeInTheDocument()
  release()
  await expect.element(page.getByText('Couldn’t load your tickets')).toBeVisible()
  fakeApi.reply(helpdesk.getTickets, { tickets: [makeMemberTicket()], summary: SUMMARY })
  await press(page, 'Try again')
  await expect.element(ticket).toBeVisible()
})
