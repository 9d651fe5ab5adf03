import { dashboard, type ReplyOf, type StaffRole, staff } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'

const item = (kind: dashboard.AttentionKind, overrides: Partial<dashboard.AttentionItem> = {}) => ({
  ...{ kind, count: 2, since: null, is_urgent: false, ticket_number: null },
  ...overrides,
})

const metric = (name: dashboard.Metric, overrides: Partial<dashboard.MetricValues> = {}): dashboard.MetricValues => ({
  ...{ metric: name, currency: '', now: 783, before: 700 },
  ...{ points: [100, 120, null], previous_points: [90, 110, 80] },
  ...overrides,
})

const METRICS: ReplyOf<typeof dashboard.getMetrics> = {
  period: 'week',
  unit: 'day',
  starts: ['2026-11-19T00:00:00Z', '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'],
  previous_starts: ['2026-11-12T00:00:00Z', '2026-11-13T00:00:00Z', '2026-11-14T00:00:00Z'],
  metrics: [metric('downloads'), metric('churn', { now: 0.02, before: 0.05 })],
  as_of: '2026-11-21T10:00:00Z',
}

const STEPS = dashboard.SETUP_STEPS.map((step) => ({ step, is_done: step === 'mail' || step === 'terms' }))

type Attention = Parameters<typeof fakeApi.reply<typeof dashboard.getAttentionItems>>[1]

async function openDashboard(attention: Attention, { role = 'admin' as StaffRole, url = '/staff' } = {}) {
  signInAs(makeProfile({ staff_role: role }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(dashboard.getAttentionItems, attention)
  fakeApi.reply(dashboard.getMetrics, ({ period = 'week' }) => ({ ...METRICS, period }))
  await openApp(url)
}

const section = (name: string) => page.getByRole('region', { name, exact: true })

test('lists missing setup steps with one button each, and finished ones in one line', async () => {
  await openDashboard({ items: [], steps: STEPS })
  const setup = section('Finish setting up')
  await expect.element(setup).toHaveTextContent('2 of 7 done')
  await expect.element(setup).toHaveTextContent('Done: Email · Terms')
  const actions = setup.getByRole('link')
  expect(actions.elements().map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['View providers', '/staff/settings?view=payments'],
    ['Create a plan', '/staff/plans'],
    ['Back up', '/staff/storage'],
    ['Import music', '/staff/import'],
    ['Set name and logo', '/staff/appearance'],
  ])
  const variants = actions.elements().map((link) => link.getAttribute('data-variant'))
  expect(variants).toEqual(['filled', 'default', 'default', 'default', 'default'])
})

test('hides the setup once everything is done', async () => {
  await openDashboard({ items: [], steps: [] })
  await expect.element(section('Needs attention').getByRole('heading', { name: 'All caught up' })).toBeVisible()
  await expect.element(section('Finish setting up')).not.toBeInTheDocument()
})

test('lists faults first, then what needs a look, and links to where it is dealt with', async () => {
  const items = [
    item('mail_failed', { is_urgent: true }),
    item('applications', { since: '2026-11-20T10:00:00Z' }),
    item('past_due', { count: 1 }),
  ]
  await openDashboard({ items, steps: [] })
  const links = page.getByRole('list', { name: 'Needs attention' }).getByRole('link')
  await expect.element(links.first()).toHaveTextContent('Problem: 2 emails failed to send')
  expect(links.elements().map((link) => link.getAttribute('href'))).toEqual([
    '/staff/outgoing-mail?state=failed',
    '/staff/subscriptions?state=past_due',
    '/staff/applications',
  ])
  await expect.element(links.last()).toHaveTextContent(/2 pending applications.*oldest/)
})

test('says that the list could not be loaded while the metrics stay, and loads it again', async () => {
  await openDashboard(() => {
    throw errorReply({ code: 'internal_error', message: 'Something went wrong.' })
  })
  await expect.element(section('Needs attention').getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect.element(section('Downloads by day')).toBeVisible()
  fakeApi.reply(dashboard.getAttentionItems, { items: [item('tickets')], steps: [] })
  await section('Needs attention').getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('link', { name: '2 tickets need a reply' })).toBeVisible()
})

test('shows figures with their change, and one of them in detail', async () => {
  await openDashboard({ items: [], steps: [] })
  const cards = page.getByRole('list', { name: 'Metrics' }).getByRole('button')
  await expect.element(cards.first()).toHaveTextContent('Downloads783↑ 12% vs previous 7 days')
  await expect.element(cards.first()).toHaveAttribute('aria-pressed', 'true')
  await expect.element(section('Downloads by day')).toHaveTextContent('783 in the last 7 days, +12% vs previous 7 days')
  await cards.last().click()
  await expect.poll(currentUrl).toBe('/staff?metric=churn')
  await expect.element(section('Churn by day')).toBeVisible()
  await page.getByText('30 days', { exact: true }).click()
  await expect.poll(currentUrl).toBe('/staff?metric=churn&period=month')
  await expect.poll(() => fakeApi.inputsOf(dashboard.getMetrics).at(-1)).toEqual({ period: 'month' })
})

test('makes the chart one tab stop whose points are read with the arrow keys, and offers a table', async () => {
  await openDashboard({ items: [], steps: [] })
  const points = section('Downloads by day').getByRole('img')
  await expect.element(points.first()).toHaveAccessibleName('Thu 19 Nov: 100, 90 in the previous period')
  // The newest point with a value is in the tab order.
  expect(points.elements().map((point) => (point as HTMLElement).tabIndex)).toEqual([-1, 0, -1])
  ;(points.nth(1).element() as HTMLElement).focus()
  await userEvent.keyboard('{Home}')
  await expect.element(points.first()).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}')
  await expect.element(points.last()).toHaveFocus()
  await section('Downloads by day').getByText('Table: Downloads').click()
  await expect.element(page.getByRole('row', { name: 'Fri 20 Nov 120 Fri 13 Nov 110' })).toBeVisible()
})

test('says that metrics could not be loaded while the rest stays, and loads them again', async () => {
  signInAs(makeProfile({ staff_role: 'support' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(dashboard.getAttentionItems, { items: [item('tickets')], steps: [] })
  fakeApi.rejectWith(dashboard.getMetrics, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/staff')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load metrics' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: '2 tickets need a reply' })).toBeVisible()
  fakeApi.reply(dashboard.getMetrics, METRICS)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(section('Downloads by day')).toBeVisible()
})

test('puts figures in two columns on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  await openDashboard({ items: [], steps: STEPS })
  const cards = page.getByRole('list', { name: 'Metrics' }).getByRole('listitem')
  await expect.element(cards.first()).toBeVisible()
  const [first, second] = cards.elements().map((card) => card.getBoundingClientRect())
  expect(first?.top).toBe(second?.top)
  expect(document.documentElement.scrollWidth).toBe(390)
})
