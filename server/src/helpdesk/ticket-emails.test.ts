import { expect, test } from 'vitest'
import { staffReplyEmail } from './ticket-emails.ts'

const sender = { poolName: 'Night Shift', publicUrl: 'https://pool.example' }
const answer = {
  ...{
    ticket_number: 1042,
    subject: 'Stops at <40 %',
    html: '<p>Try <b>again</b>.</p><p>Then:</p><ul><li>write</li></ul>',
  },
  ...{ files: 0, closed: false, canAnswer: true },
}
const email = (more: Partial<typeof answer> = {}) =>
  staffReplyEmail(sender, { email: 'dj@example.test', dj_name: 'DJ <Kwame>' }, { ...answer, ...more })

test('emails a reply with its formatting, and as text', () => {
  const { to, subject, html, text } = email()
  expect([to, subject]).toEqual(['dj@example.test', 'Re: Stops at <40 % [ticket 1042]'])
  expect(html).toContain(answer.html)
  expect(html).not.toContain('<Kwame>')
  expect(text).toContain('Try again.\nThen:\n• write')
  for (const form of [html, text]) expect(form).toContain('https://pool.example/ticket/details/1042')
})

test('mentions the attachments, and whether replies by email are read', () => {
  expect(email().text).toContain('You can reply to this email')
  expect(email({ canAnswer: false }).text).toContain('Replies to this email aren’t monitored')
  expect(email({ files: 1 }).text).toContain('One file is attached to the ticket')
  expect(email({ files: 3 }).text).toContain('3 files are attached to the ticket')
  expect(email({ closed: true }).text).toContain('This ticket is closed. Reply to reopen it.')
})

test('links in a reply work in the email, and their URLs are in its text', () => {
  const { html, text } = email({
    html: '<p>See <a href="/account/update?a=1&amp;b=2">your <b>profile</b></a>, <a href="https://kb.example/x">https://kb.example/x</a> or <a href="mailto:a@b.example">write</a>.</p>',
  })
  expect(html).toContain('<a href="https://pool.example/account/update?a=1&amp;b=2">your <b>profile</b></a>')
  expect(html).toContain('<a href="https://kb.example/x">https://kb.example/x</a>')
  expect(html).toContain('<a href="mailto:a@b.example">write</a>')
  expect(text).toContain(
    'See your profile (https://pool.example/account/update?a=1&b=2), https://kb.example/x or write (a@b.example).',
  )
})
