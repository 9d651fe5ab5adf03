import { billing, helpdesk, site } from '@dubplate/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HARMLESS_ATTRIBUTES, HARMLESS_TAGS, HOSTILE } from '../../../journeys/hostile.ts'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

let hasRun: boolean
/** URLs that only malicious HTML requests. */
let requested: string[]
let observer: PerformanceObserver

const collectEntries = (entries: PerformanceEntryList) =>
  requested.push(...entries.map(({ name }) => name).filter((name) => /\/ran-|ran-elsewhere/.test(name)))

beforeEach(() => {
  hasRun = false
  requested = []
  Object.assign(window, { ran: () => (hasRun = true) })
  observer = new PerformanceObserver((list) => collectEntries(list.getEntries()))
  observer.observe({ type: 'resource' })
})

afterEach(() => {
  observer.disconnect()
  Reflect.deleteProperty(window, 'ran')
})

const htmlParts = () => [...document.querySelectorAll('[data-written]')]

/** The parts of an element that no text may contain: its tag, an attribute, a URL with another scheme. */
function findUnsafeParts(element: Element): string[] {
  const tag = element.tagName.toLowerCase()
  if (!HARMLESS_TAGS.includes(tag)) return [tag]
  const attributes = element.getAttributeNames().filter((name) => !HARMLESS_ATTRIBUTES[tag]?.includes(name))
  const isLink = element instanceof HTMLAnchorElement && element.hasAttribute('href')
  const address = isLink && !/^(https?|mailto):$/.test(element.protocol) ? [element.href] : []
  return [...attributes.map((name) => `${tag} ${name}`), ...address]
}

async function expectHarmless(leastParts: number) {
  await expect.poll(() => htmlParts().length).toBeGreaterThanOrEqual(leastParts)
  const elements = htmlParts().flatMap((part) => [...part.querySelectorAll('*')])
  expect(elements.flatMap(findUnsafeParts)).toEqual([])
  expect(hasRun).toBe(false)
  collectEntries(observer.takeRecords())
  expect(requested).toEqual([])
}

test.each([
  '<img src=x onerror=ran()>',
  '<svg><animate onbegin=ran() attributeName=x dur=1s></animate></svg>',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
])('detects that %s runs without sanitising', async (html) => {
  const element = document.createElement('div')
  document.body.append(element)
  element.innerHTML = html
  await expect.poll(() => hasRun).toBe(true)
  element.remove()
})

test('detects a request that nothing prevents', async () => {
  new Image().src = '/ran-pixel.gif'
  await expect.poll(() => requested).toHaveLength(1)
})

test('sanitises answers of the FAQs', async () => {
  signInAs(makeProfile())
  const faqs = HOSTILE.map((payload, n) => ({
    faq_id: n + 1,
    question: `Hostile ${n}`,
    answer: `<p>${n}</p>${payload}`,
  }))
  fakeApi.reply(helpdesk.getFaqs, { faqs })
  await openApp('/support/faqs')
  await expectHarmless(HOSTILE.length)
})

test('sanitises features of plans', async () => {
  const plan = {
    title: 'Plan',
    description: '',
    price: '1.00',
    trial_price: '0.00',
    currency: 'USD',
    interval: 'month',
    is_premimum: 'no',
    is_premium: 'no',
    subscription_type_id: 1,
    ...{ monthly_downloads: null, version_downloads: 2, head_start_hours: 0 },
    ...{ has_crate_bundles: true, has_top20_packs: true },
  } as const
  const plans = HOSTILE.map((payload, n) => ({ ...plan, id: n + 1, features: `<p>${n}</p>${payload}` }))
  fakeApi.reply(billing.getPlans, { plans, methods: ['credit_card'] })
  signInAs(makeProfile({ payment_profile_status: 'unpaid' }))
  await openApp('/subscription/plans')
  await expectHarmless(HOSTILE.length)
})

test('sanitises a page of the site', async () => {
  const html = HOSTILE.map((payload, n) => `<p>No. ${n}</p>${payload}`).join('\n')
  fakeApi.reply(site.getPage, { slug: 'terms', title: 'Terms', html, updated_at: null })
  await openApp('/terms')
  await expectHarmless(1)
})
