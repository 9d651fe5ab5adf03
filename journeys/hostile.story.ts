import { announcements, helpdesk, openings, sitePages, support } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { createTransport } from 'nodemailer'
import { HARMLESS_ATTRIBUTES, HARMLESS_TAGS, HOSTILE } from './hostile.ts'
import { getMailsTo } from './mail-server.ts'
import { type Account, createMember, openSignedIn } from './members.ts'
import { test as base, callApi, expect, getToken } from './support.ts'

declare global {
  interface Window {
    ran(): void
    hasRun: boolean
  }
}

/** Runs without the content security policy, which would hide what the sanitiser lets through. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
  bypassCSP: async ({}, use) => use(true),
})

/** Records scripts that run and requests that hostile HTML makes. */
async function watchExecution(page: Page): Promise<string[]> {
  const requests: string[] = []
  page.on('request', (request) => {
    if (/\/ran-|ran-elsewhere/.test(request.url())) requests.push(request.url())
  })
  await page.addInitScript(() => {
    window.hasRun = false
    window.ran = () => {
      ;(window.top as Window).hasRun = true
    }
  })
  return requests
}

/** Expects that the payloads are shown, nothing ran, and only allowed tags, attributes and URLs are left. */
async function expectNoScriptRan(page: Page, requests: string[], minCount = 1): Promise<void> {
  const renderedHtml = page.locator('[data-written]')
  await expect.poll(() => renderedHtml.count()).toBeGreaterThanOrEqual(minCount)
  const unsafe = await renderedHtml.evaluateAll(
    (parts, [tags, attributes]) =>
      parts.flatMap((part) =>
        [...part.querySelectorAll('*')].flatMap((element) => {
          const tag = element.tagName.toLowerCase()
          const names = element.getAttributeNames().filter((name) => !attributes[tag]?.includes(name))
          const isLink = element instanceof HTMLAnchorElement && element.hasAttribute('href')
          const links = isLink && !/^(https?|mailto):$/.test(element.protocol) ? [element.href] : []
          return tags.includes(tag) ? [...names.map((name) => `${tag} ${name}`), ...links] : [tag]
        }),
      ),
    [HARMLESS_TAGS, HARMLESS_ATTRIBUTES] as const,
  )
  expect(unsafe).toEqual([])
  expect(await page.evaluate(() => window.hasRun)).toBe(false)
  expect(requests).toEqual([])
}

const splitIntoGroups = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size))

/** Each payload with text beside it: input without any text is refused. */
const PAYLOADS = HOSTILE.map((payload, n) => `<p>No. ${n}</p>${payload}`)

let member: Account
let staff: string
test.beforeAll(async () => {
  member = await createMember('DJ Hostile')
  staff = await getToken('staff@demo.test')
})

test('detects hostile HTML that is not sanitised', async ({ page }) => {
  const requests = await watchExecution(page)
  await page.goto('/terms')
  const expectRun = async (html: string) => {
    await page.evaluate((it) => {
      window.hasRun = false
      document.body.insertAdjacentHTML('beforeend', it)
    }, html)
    await expect.poll(() => page.evaluate(() => window.hasRun)).toBe(true)
  }
  await expectRun('<img src=x onerror=ran()>')
  await expectRun('<svg><animate onbegin=ran() attributeName=x dur=1s></animate></svg>')
  await expectRun('<iframe srcdoc="<script>parent.ran()</script>"></iframe>')
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img src="/ran-pixel.gif">'))
  await expect.poll(() => requests.length).toBe(1)
})

test('sanitises FAQs', async ({ page }) => {
  const requests = await watchExecution(page)
  const faqs = await Promise.all(
    PAYLOADS.map(async (answer, n) => {
      const input = { question: `Hostile ${n}`, answer }
      return (await callApi(support.saveFaq, input, staff)).faq.faq_id
    }),
  )
  try {
    await openSignedIn(page, member.token, '/support/faqs')
    await expectNoScriptRan(page, requests, HOSTILE.length)
  } finally {
    for (const faq_id of faqs) await callApi(support.removeFaq, { faq_id }, staff)
  }
})

test('sanitises tickets and replies, on the page and in emails', async ({ page }) => {
  const requests = await watchExecution(page)
  const [first = [], ...others] = splitIntoGroups(PAYLOADS, 20)
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
  for (const details of PAYLOADS) {
    const answered = await callApi(support.answerTicket, { ticket_number, details, after_reply_id }, staff)
    after_reply_id = answered.reply.id
  }
  const replies = 40 + PAYLOADS.length
  const pages = Math.ceil(replies / helpdesk.REPLIES_PER_PAGE)
  for (let n = 1; n <= pages; n++) {
    await (n === 1
      ? openSignedIn(page, member.token, `/ticket/details/${ticket_number}?page=1`)
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
  await expect.poll(async () => (await getMailsTo(member.email)).length).toBeGreaterThanOrEqual(PAYLOADS.length)
  for (const group of splitIntoGroups(await getMailsTo(member.email), 20)) {
    for (const { html } of group) await page.setContent(html ?? '')
    expect(await page.evaluate(() => window.hasRun)).toBe(false)
  }
  expect(requests).toEqual([])
})

test('sanitises incoming emails and the text they quote', async ({ page }) => {
  const requests = await watchExecution(page)
  const input = { department_id: 1, priority_id: 1, subject: 'By mail', details: 'Words', attachments: [] }
  const { ticket_number } = await callApi(helpdesk.submitTicket, { HelpdeskTickets: input }, member.token)
  await callApi(support.answerTicket, { ticket_number, details: 'Answer this by mail.', after_reply_id: 0 }, staff)
  const find = async () => (await getMailsTo(member.email)).find(({ text }) => text?.includes('Answer this by mail.'))
  await expect.poll(async () => (await find()) !== undefined).toBe(true)
  const to = (await find())?.replyTo?.[0]?.address ?? ''
  const mailTransport = createTransport({ url: process.env.INBOUND_URL, ignoreTLS: true })
  const groups = splitIntoGroups(PAYLOADS, 8)
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
    await (n === 1 ? openSignedIn(page, member.token, address) : page.goto(address))
    await expect(page.getByText('Via email').first()).toBeVisible()
    await page.locator('details').evaluateAll((detailsElements: HTMLDetailsElement[]) => {
      for (const one of detailsElements) one.open = true
    })
    await expectNoScriptRan(page, requests, 3)
  }
})

test('sanitises announcements', async ({ page }) => {
  const requests = await watchExecution(page)
  const ids: number[] = []
  for (const message of PAYLOADS) {
    // Only for members without a plan, so that other tests don't see it.
    const input = { page_name: 'mp3_latest', message, audience: 'unpaid' } as const
    ids.push((await callApi(announcements.saveAnnouncement, input, staff)).announcement.message_id)
  }
  try {
    for (let n = 1; n <= Math.ceil(ids.length / 24); n++) {
      await (n === 1 ? openSignedIn(page, member.token, '/news') : page.goto(`/news?page=${n}`))
      await expectNoScriptRan(page, requests, 10)
    }
    await page.goto('/newRelease')
    await expectNoScriptRan(page, requests)
  } finally {
    for (const message_id of ids) await callApi(announcements.endAnnouncement, { message_id }, staff)
  }
})

test('sanitises pages and job openings', async ({ page }) => {
  const requests = await watchExecution(page)
  const { pages } = await callApi(sitePages.getPages, {}, staff)
  const before = pages.find(({ slug }) => slug === 'contact')
  const openingIds: number[] = []
  // Text that contains U+0000 is refused.
  const texts = PAYLOADS.map((text) => text.replaceAll('\u0000', ''))
  for (const [n, markdown] of texts.entries()) {
    const { opening } = await callApi(openings.saveOpening, { title: `Hostile ${n}`, markdown }, staff)
    openingIds.push(opening.job_opening_id)
  }
  const input = { slug: 'contact', title: 'Contact', markdown: texts.join('\n\n') }
  const saved = await callApi(sitePages.savePage, { ...input, version: before?.version ?? 0 }, staff)
  try {
    await openSignedIn(page, member.token, '/career/listing')
    await expectNoScriptRan(page, requests, HOSTILE.length)
    await page.goto('/contact')
    await expectNoScriptRan(page, requests)
  } finally {
    for (const job_opening_id of openingIds) await callApi(openings.removeOpening, { job_opening_id }, staff)
    const { title = 'Contact', markdown = '' } = before ?? {}
    await callApi(sitePages.savePage, { slug: 'contact', title, markdown, version: saved.page.version }, staff)
  }
})
