import { announcements, helpdesk, openings, sitePages, support } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { HARMLESS_ATTRIBUTES, HARMLESS_TAGS, HOSTILE } from './hostile.ts'
import { readMailTo } from './mail-server.ts'
import { type Account, createMember, openWithToken } from './members.ts'
import { callApi, expect, test as resolve, tokenOf } from './support.ts'

declare global {
  interface Window {
    reportScriptRun(): void
    hasRun: boolean
  }
}

/** Without the page's own policy, which would hide what gets through. */
const test = resolve.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
  bypassCSP: async ({}, use) => use(true),
})

/** Whatever runs in the page, or is asked for, is noticed from here on. */
async function recordRequests(page: Page): Promise<string[]> {
  const requests: string[] = []
  page.on('request', (request) => {
    if (/\/ran-|ran-elsewhere/.test(request.url())) requests.push(request.url())
  })
  await page.addInitScript(() => {
    window.hasRun = false
    window.reportScriptRun = () => {
      ;(window.top as Window).hasRun = true
    }
  })
  return requests
}

/** All of it has been shown: nothing ran, and what stands there are harmless tags with harmless addresses. */
async function expectNoScriptRan(page: Page, requests: string[], minCount = 1): Promise<void> {
  const renderedHtml = page.locator('[data-written]')
  await expect.poll(() => renderedHtml.count()).toBeGreaterThanOrEqual(minCount)
  const unsafeMarkup = await renderedHtml.evaluateAll(
    (parts, [tags, attributes]) =>
      parts.flatMap((part) =>
        [...part.querySelectorAll('*')].flatMap((element) => {
          const tag = element.tagName.toLowerCase()
          const names = element.getAttributeNames().filter((name) => !attributes[tag]?.includes(name))
          const isLink = element instanceof HTMLAnchorElement && element.hasAttribute('href')
          const isUnsafeLink = isLink && !/^(https?|mailto):$/.test(element.protocol) ? [element.href] : []
          return tags.includes(tag) ? [...names.map((name) => `${tag} ${name}`), ...isUnsafeLink] : [tag]
        }),
      ),
    [HARMLESS_TAGS, HARMLESS_ATTRIBUTES] as const,
  )
  expect(unsafeMarkup).toEqual([])
  expect(await page.evaluate(() => window.hasRun)).toBe(false)
  expect(requests).toEqual([])
}

const groupsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))

/** A word beside each, so that none is refused for having none. */
const hostileTexts = HOSTILE.map((payload, n) => `<p>No. ${n}</p>${payload}`)

let member: Account
let staff: string
test.beforeAll(async () => {
  member = await createMember('DJ Hostile')
  staff = await tokenOf('staff@demo.test')
})

test('what would run is noticed where nothing cleans it', async ({ page }) => {
  const requests = await recordRequests(page)
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
  await expect.poll(() => requests.length).toBe(1)
})

test('hostile answers of the FAQ come out harmless', { tag: '@smoke' }, async ({ page }) => {
  const requests = await recordRequests(page)
  const faqs = await Promise.all(
    hostileTexts.map(async (answer, n) => {
      const input = { question: `Hostile ${n}`, answer }
      return (await callApi(support.saveFaq, input, staff)).faq.faq_id
    }),
  )
  try {
    await openWithToken(page, member.token, '/support/faqs')
    await expectNoScriptRan(page, requests, HOSTILE.length)
  } finally {
    for (const faq_id of faqs) await callApi(support.removeFaq, { faq_id }, staff)
  }
})

test('hostile tickets, replies and answers come out harmless, in the page and in the mail', async ({ page }) => {
  const requests = await recordRequests(page)
  const [first = [], ...others] = groupsOf(hostileTexts, 20)
  const open = (details: string) =>
    callApi(
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
    after_reply_id = (await callApi(helpdesk.replyToTicket, input, member.token)).reply.id
  }
  for (const details of hostileTexts) {
    const answered = await callApi(support.answerTicket, { ticket_number, details, after_reply_id }, staff)
    after_reply_id = answered.reply.id
  }
  const replies = 40 + hostileTexts.length
  const pages = Math.ceil(replies / helpdesk.REPLIES_PER_PAGE)
  for (let n = 1; n <= pages; n++) {
    await (n === 1
      ? openWithToken(page, member.token, `/ticket/details/${ticket_number}?page=1`)
      : page.goto(`/ticket/details/${ticket_number}?page=${n}`))
    await expectNoScriptRan(
      page,
      requests,
      Math.min(helpdesk.REPLIES_PER_PAGE, replies - (n - 1) * helpdesk.REPLIES_PER_PAGE),
    )
  }
  for (const group of others) {
    const other = await open(group.join('\n'))
    await page.goto(`/ticket/details/${other.ticket_number}`)
    await expectNoScriptRan(page, requests)
  }
  await expect.poll(async () => (await readMailTo(member.email)).length).toBeGreaterThanOrEqual(hostileTexts.length)
  for (const group of groupsOf(await readMailTo(member.email), 20)) {
    for (const { html } of group) await page.setContent(html ?? '')
    expect(await page.evaluate(() => window.hasRun)).toBe(false)
  }
  expect(requests).toEqual([])
})

test('hostile mail comes out harmless, and so does what it quotes', async ({ page }) => {
  const requests = await recordRequests(page)
  const input = { department_id: 1, priority_id: 1, subject: 'By mail', details: 'Words', attachments: [] }
  const { ticket_number } = await callApi(helpdesk.submitTicket, { HelpdeskTickets: input }, member.token)
  await callApi(support.answerTicket, { ticket_number, details: 'Answer this by mail.', after_reply_id: 0 }, staff)
  const find = async () => (await readMailTo(member.email)).find(({ text }) => text?.includes('Answer this by mail.'))
  await expect.poll(async () => (await find()) !== undefined).toBe(true)
  const to = (await find())?.replyTo?.[0]?.address ?? ''
  const mailTransport = createTransport({ url: process.env.INBOUND_URL, ignoreTLS: true })
  const groups = groupsOf(hostileTexts, 8)
  for (const group of groups) {
    const quoted = `<div class="gmail_quote">On Friday, Dubplate wrote:<blockquote>${group.join('\n')}</blockquote></div>`
    await mailTransport.sendMail({
      from: member.email,
      to,
      subject: 'Re: By mail',
      html: `<p>Hostile</p>${group.join('\n')}${quoted}`,
    })
  }
  mailTransport.close()
  for (let n = 1; n <= Math.ceil((groups.length + 1) / helpdesk.REPLIES_PER_PAGE); n++) {
    const address = `/ticket/details/${ticket_number}?page=${n}`
    await (n === 1 ? openWithToken(page, member.token, address) : page.goto(address))
    await expect(page.getByText('via mail').first()).toBeVisible()
    await page.locator('details').evaluateAll((detailsElements: HTMLDetailsElement[]) => {
      for (const one of detailsElements) one.open = true
    })
    await expectNoScriptRan(page, requests, 3)
  }
})

test('hostile announcements come out harmless', async ({ page }) => {
  const requests = await recordRequests(page)
  const ids: number[] = []
  for (const message of hostileTexts) {
    // For members without a plan alone: the other stories are of somebody else.
    const input = { page_name: 'mp3_latest', message, audience: 'unpaid' } as const
    ids.push((await callApi(announcements.saveAnnouncement, input, staff)).announcement.message_id)
  }
  try {
    for (let n = 1; n <= Math.ceil(ids.length / 24); n++) {
      await (n === 1 ? openWithToken(page, member.token, '/news') : page.goto(`/news?page=${n}`))
      await expectNoScriptRan(page, requests, 10)
    }
    await page.goto('/newRelease')
    await expectNoScriptRan(page, requests)
  } finally {
    for (const message_id of ids) await callApi(announcements.endAnnouncement, { message_id }, staff)
  }
})

test('hostile pages and openings come out harmless', async ({ page }) => {
  const requests = await recordRequests(page)
  const { pages } = await callApi(sitePages.getPages, {}, staff)
  const before = pages.find(({ slug }) => slug === 'contact')
  const renderedHtml: number[] = []
  // The character no text has is refused.
  const texts = hostileTexts.map((text) => text.replaceAll('\u0000', ''))
  for (const [n, markdown] of texts.entries()) {
    const { opening } = await callApi(openings.saveOpening, { title: `Hostile ${n}`, markdown }, staff)
    renderedHtml.push(opening.job_opening_id)
  }
  const input = { slug: 'contact', title: 'Contact', markdown: texts.join('\n\n') }
  const saved = await callApi(sitePages.savePage, { ...input, version: before?.version ?? 0 }, staff)
  try {
    await openWithToken(page, member.token, '/career/listing')
    await expectNoScriptRan(page, requests, HOSTILE.length)
    await page.goto('/contact')
    await expectNoScriptRan(page, requests)
  } finally {
    for (const job_opening_id of renderedHtml) await callApi(openings.removeOpening, { job_opening_id }, staff)
    const { title = 'Contact', markdown = '' } = before ?? {}
    await callApi(sitePages.savePage, { slug: 'contact', title, markdown, version: saved.page.version }, staff)
  }
})
