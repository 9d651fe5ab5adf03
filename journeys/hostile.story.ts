import { announcements, helpdesk, openings, sitePages, support } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { HARMLESS_ATTRIBUTES, HARMLESS_TAGS, HOSTILE } from './hostile.ts'
import { mailsTo } from './mail-server.ts'
import { type Account, aMember, enter } from './members.ts'
import { ask, expect, test as listening, tokenOf } from './support.ts'

declare global {
  interface Window {
    ran(): void
    hasRun: boolean
  }
}

/** Without the page's own policy, which would hide what gets through. */
const test = listening.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
  bypassCSP: async ({}, use) => use(true),
})

/** Whatever runs in the page, or is asked for, is noticed from here on. */
async function watch(page: Page): Promise<string[]> {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/ran-|ran-elsewhere/.test(request.url())) asked.push(request.url())
  })
  await page.addInitScript(() => {
    window.hasRun = false
    window.ran = () => {
      ;(window.top as Window).hasRun = true
    }
  })
  return asked
}

/** All of it has been shown: nothing ran, and what stands there are harmless tags with harmless addresses. */
async function expectHarmless(page: Page, asked: string[], least = 1): Promise<void> {
  const written = page.locator('[data-written]')
  await expect.poll(() => written.count()).toBeGreaterThanOrEqual(least)
  const strange = await written.evaluateAll(
    (parts, [tags, attributes]) =>
      parts.flatMap((part) =>
        [...part.querySelectorAll('*')].flatMap((element) => {
          const tag = element.tagName.toLowerCase()
          const names = element.getAttributeNames().filter((name) => !attributes[tag]?.includes(name))
          const isLink = element instanceof HTMLAnchorElement && element.hasAttribute('href')
          const leads = isLink && !/^(https?|mailto):$/.test(element.protocol) ? [element.href] : []
          return tags.includes(tag) ? [...names.map((name) => `${tag} ${name}`), ...leads] : [tag]
        }),
      ),
    [HARMLESS_TAGS, HARMLESS_ATTRIBUTES] as const,
  )
  expect(strange).toEqual([])
  expect(await page.evaluate(() => window.hasRun)).toBe(false)
  expect(asked).toEqual([])
}

const groupsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))

/** A word beside each, so that none is refused for having none. */
const withWords = HOSTILE.map((payload, n) => `<p>No. ${n}</p>${payload}`)

let member: Account
let staff: string
test.beforeAll(async () => {
  member = await aMember('DJ Hostile')
  staff = await tokenOf('staff@demo.test')
})

test('what would run is noticed where nothing cleans it', async ({ page }) => {
  const asked = await watch(page)
  await page.goto('/terms')
  const runs = async (html: string) => {
    await page.evaluate((it) => {
      window.hasRun = false
      document.body.insertAdjacentHTML('beforeend', it)
    }, html)
    await expect.poll(() => page.evaluate(() => window.hasRun)).toBe(true)
  }
  await runs('<img src=x onerror=ran()>')
  await runs('<svg><animate onbegin=ran() attributeName=x dur=1s></animate></svg>')
  await runs('<iframe srcdoc="<script>parent.ran()</script>"></iframe>')
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img src="/ran-pixel.gif">'))
  await expect.poll(() => asked.length).toBe(1)
})

test('hostile answers of the FAQ come out harmless', { tag: '@smoke' }, async ({ page }) => {
  const asked = await watch(page)
  const faqs = await Promise.all(
    withWords.map(async (answer, n) => {
      const input = { question: `Hostile ${n}`, answer }
      return (await ask(support.saveFaq, input, staff)).faq.faq_id
    }),
  )
  try {
    await enter(page, member.token, '/support/faqs')
    await expectHarmless(page, asked, HOSTILE.length)
  } finally {
    for (const faq_id of faqs) await ask(support.removeFaq, { faq_id }, staff)
  }
})

test('hostile tickets, replies and answers come out harmless, in the page and in the mail', async ({ page }) => {
  const asked = await watch(page)
  const [first = [], ...others] = groupsOf(withWords, 20)
  const open = (details: string) =>
    ask(
      helpdesk.submitTicket,
      {
        HelpdeskTickets: {
          department_id: 1,
          priority_id: 1,
          subject: '<img src=x onerror=ran()>',
          details,
          attachments: [],
        },
      },
      member.token,
    )
  const { ticket_number } = await open(first.join('\n'))
  let after_reply_id = 0
  for (const details of HOSTILE.slice(0, 40)) {
    const input = { ticket_number, details: `<p>By the member</p>${details}` }
    after_reply_id = (await ask(helpdesk.replyToTicket, input, member.token)).reply.id
  }
  for (const details of withWords) {
    const answered = await ask(support.answerTicket, { ticket_number, details, after_reply_id }, staff)
    after_reply_id = answered.reply.id
  }
  const replies = 40 + withWords.length
  const pages = Math.ceil(replies / helpdesk.REPLIES_A_PAGE)
  for (let n = 1; n <= pages; n++) {
    await (n === 1
      ? enter(page, member.token, `/ticket/details/${ticket_number}?page=1`)
      : page.goto(`/ticket/details/${ticket_number}?page=${n}`))
    await expectHarmless(page, asked, Math.min(helpdesk.REPLIES_A_PAGE, replies - (n - 1) * helpdesk.REPLIES_A_PAGE))
  }
  for (const group of others) {
    const other = await open(group.join('\n'))
    await page.goto(`/ticket/details/${other.ticket_number}`)
    await expectHarmless(page, asked)
  }
  await expect.poll(async () => (await mailsTo(member.email)).length).toBeGreaterThanOrEqual(withWords.length)
  for (const group of groupsOf(await mailsTo(member.email), 20)) {
    for (const { html } of group) await page.setContent(html ?? '')
    expect(await page.evaluate(() => window.hasRun)).toBe(false)
  }
  expect(asked).toEqual([])
})

test('hostile mail comes out harmless, and so does what it quotes', async ({ page }) => {
  const asked = await watch(page)
  const input = { department_id: 1, priority_id: 1, subject: 'By mail', details: 'Words', attachments: [] }
  const { ticket_number } = await ask(helpdesk.submitTicket, { HelpdeskTickets: input }, member.token)
  await ask(support.answerTicket, { ticket_number, details: 'Answer this by mail.', after_reply_id: 0 }, staff)
  const find = async () => (await mailsTo(member.email)).find(({ text }) => text?.includes('Answer this by mail.'))
  await expect.poll(async () => (await find()) !== undefined).toBe(true)
  const to = (await find())?.replyTo?.[0]?.address ?? ''
  const post = createTransport({ url: process.env.INBOUND_URL, ignoreTLS: true })
  const groups = groupsOf(withWords, 8)
  for (const group of groups) {
    const quoted = `<div class="gmail_quote">On Friday, Dubplate wrote:<blockquote>${group.join('\n')}</blockquote></div>`
    await post.sendMail({
      from: member.email,
      to,
      subject: 'Re: By mail',
      html: `<p>Hostile</p>${group.join('\n')}${quoted}`,
    })
  }
  post.close()
  for (let n = 1; n <= Math.ceil((groups.length + 1) / helpdesk.REPLIES_A_PAGE); n++) {
    const address = `/ticket/details/${ticket_number}?page=${n}`
    await (n === 1 ? enter(page, member.token, address) : page.goto(address))
    await expect(page.getByText('Via email').first()).toBeVisible()
    await page.locator('details').evaluateAll((folded: HTMLDetailsElement[]) => {
      for (const one of folded) one.open = true
    })
    await expectHarmless(page, asked, 3)
  }
})

test('hostile announcements come out harmless', async ({ page }) => {
  const asked = await watch(page)
  const ids: number[] = []
  for (const message of withWords) {
    // For members without a plan alone: the other stories are of somebody else.
    const input = { page_name: 'mp3_latest', message, audience: 'unpaid' } as const
    ids.push((await ask(announcements.saveAnnouncement, input, staff)).announcement.message_id)
  }
  try {
    for (let n = 1; n <= Math.ceil(ids.length / 24); n++) {
      await (n === 1 ? enter(page, member.token, '/news') : page.goto(`/news?page=${n}`))
      await expectHarmless(page, asked, 10)
    }
    await page.goto('/newRelease')
    await expectHarmless(page, asked)
  } finally {
    for (const message_id of ids) await ask(announcements.endAnnouncement, { message_id }, staff)
  }
})

test('hostile pages and openings come out harmless', async ({ page }) => {
  const asked = await watch(page)
  const { pages } = await ask(sitePages.getPages, {}, staff)
  const before = pages.find(({ slug }) => slug === 'contact')
  const written: number[] = []
  // The character no text has is refused.
  const texts = withWords.map((text) => text.replaceAll('\u0000', ''))
  for (const [n, markdown] of texts.entries()) {
    const { opening } = await ask(openings.saveOpening, { title: `Hostile ${n}`, markdown }, staff)
    written.push(opening.job_opening_id)
  }
  const input = { slug: 'contact', title: 'Contact', markdown: texts.join('\n\n') }
  const saved = await ask(sitePages.savePage, { ...input, version: before?.version ?? 0 }, staff)
  try {
    await enter(page, member.token, '/career/listing')
    await expectHarmless(page, asked, HOSTILE.length)
    await page.goto('/contact')
    await expectHarmless(page, asked)
  } finally {
    for (const job_opening_id of written) await ask(openings.removeOpening, { job_opening_id }, staff)
    const { title = 'Contact', markdown = '' } = before ?? {}
    await ask(sitePages.savePage, { slug: 'contact', title, markdown, version: saved.page.version }, staff)
  }
})
