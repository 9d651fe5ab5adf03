import {
  books,
  catalogue,
  charts,
  dashboard,
  invoices,
  members,
  membership,
  payments,
  player,
  playlists,
  site,
  spotlights,
  staff,
  subscriptions,
  support,
} from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { processDueSubscriptions } from '../billing/renewals.ts'
import { invoiceSettingsFor } from '../platform/payment-config.ts'
import { fillDemoPool } from './fill.ts'

let pool: TestPool
let filled: { songs: number; versions: number }
const NOW = new Date()
beforeAll(async () => {
  pool = await openTestPool()
  filled = await fillDemoPool(pool.ctx.sql, {
    now: NOW,
    invoice: invoiceSettingsFor(pool.ctx.config.payments.invoice, 'Night Shift'),
  })
})
afterAll(() => pool.close())

const number = async (query: string): Promise<number> => {
  const [row] = await pool.ctx.sql.unsafe<{ n: number }[]>(query)
  return row?.n ?? -1
}

test('the demo has its songs and versions, and House is the home genre', async () => {
  expect(filled.songs).toBeGreaterThanOrEqual(240)
  expect(filled.versions).toBeGreaterThanOrEqual(720)
  const home = await pool.ask(catalogue.getGenresSong, {})
  expect(home.genre).toEqual({ genre_id: 31, name: 'House' })
  expect(home.songs).toHaveLength(24)
  expect((await pool.ask(catalogue.homePageGenres, {})).genres[0]).toEqual({ genre_id: 31, name: 'House' })
})

test('every counter equals a recount', async () => {
  const wrong = `
    select count(*)::int as n from genre_counter c where songs <> case when genre_id = 0
      then (select count(*) from song s where s.song_section_id = c.song_section_id and s.status = 'published')
      else (select count(*) from song_genre g where g.genre_id = c.genre_id and g.listed_section = c.song_section_id) end`
  expect(await number(wrong)).toBe(0)
  expect(await number('select count(*)::int as n from song_search')).toBe(filled.songs)
})

test('grants and roll-ups add up to the downloads, and no member exceeds the limit', async () => {
  const downloads = await number('select count(*)::int as n from download')
  expect(downloads).toBeGreaterThan(10_000)
  expect(await number('select sum(used)::int as n from download_grant')).toBe(downloads)
  expect(await number('select max(used)::int as n from download_grant')).toBe(2)
  expect(await number(`select sum(n)::int as n from chart_count where period = 'day'`)).toBe(downloads)
  const wrongHours = `
    select count(*)::int as n from (
      select date_trunc('hour', at, 'UTC') as start, entity_id, count(*)::int as n from download
      where at >= (select min(start) from chart_count where period = 'hour') group by 1, 2) ledger
    full join (select start, entity_id, n from chart_count where period = 'hour') counted using (start, entity_id)
    where ledger.n is distinct from counted.n`
  expect(await number(wrongHours)).toBe(0)
  const wrongListens = `
    select count(*)::int as n from (
      select (at at time zone 'UTC')::date as day, entity_id, count(*)::int as n from listen group by 1, 2) ledger
    full join listen_count counted using (day, entity_id) where ledger.n is distinct from counted.n`
  expect(await number(wrongListens)).toBe(0)
  const wrongTotals = `
    select count(*)::int as n from (
      select entity_id, count(*) filter (where what = 'download') as downloads, count(*) filter (where what = 'listen') as listens
      from (select entity_id, 'download' as what from download union all select entity_id, 'listen' from listen) happened
      group by 1) ledger
    full join song_total t using (entity_id)
    where (ledger.downloads, ledger.listens) is distinct from (t.downloads, t.listens)`
  expect(await number(wrongTotals)).toBe(0)
})

test('the charts are filled at once, with songs that rise, fall and are new', async () => {
  for (const chart_type of charts.CHART_TYPES) {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => pool.ask(charts.getChart, { chart_type, page })))
    expect(pages[0]?.songs).toHaveLength(24)
    const movements = pages
      .flatMap((page) => page.songs)
      .map(({ rank, rank_before }) => (rank_before === null ? 'new' : Math.sign(rank_before - rank)))
    for (const movement of ['new', 1, -1]) expect(movements).toContain(movement)
  }
  const house = await pool.ask(charts.getChart, { chart_type: 'monthly', genre_id: 31 })
  expect(house.songs.length).toBeGreaterThan(10)
})

test('no download or listen is older than its song or in the future', async () => {
  expect(
    await number(
      'select count(*)::int as n from download d join song s using (entity_id) where d.at < s.created_at or d.at > now()',
    ),
  ).toBe(0)
  expect(
    await number(
      'select count(*)::int as n from listen l join song s using (entity_id) where l.at < s.created_at or l.at > now()',
    ),
  ).toBe(0)
})

test('each demo member has the status that the sign-in dialog names', async () => {
  const signIn = (email: string) => pool.ask(membership.signIn, { email, password: 'dubplate' })
  expect((await signIn('dj@demo.test')).profile).toMatchObject({
    group_id: 2,
    payment_profile_status: 'paid',
    staff_role: null,
  })
  expect((await signIn('free@demo.test')).profile).toMatchObject({ group_id: 2, payment_profile_status: 'unpaid' })
  expect((await signIn('label@demo.test')).profile).toMatchObject({ group_id: 3 })
  expect((await signIn('staff@demo.test')).profile).toMatchObject({ staff_role: 'admin' })
  expect(await errorOf(signIn('new@demo.test'))).toMatchObject({ code: 'dj_application_missing' })
  expect(await errorOf(signIn('pending@demo.test'))).toMatchObject({ code: 'dj_application_pending' })
})

test('spotlights, collections and charts have songs', async () => {
  const { curatedlist } = await pool.ask(spotlights.getSpotlights, {})
  expect(curatedlist).toHaveLength(12)
  const list = await pool.ask(spotlights.getSpotlightSongs, { curated_list_id: curatedlist[0]?.curated_list_id ?? 0 })
  expect(list.songs.length).toBeGreaterThan(10)
  const { tracks } = await pool.ask(charts.getTop20Tracks, { limit: 15 })
  expect(tracks).toHaveLength(15)
  const top20 = await pool.ask(charts.getTop20Songs, { top20_track_id: tracks[0]?.top20_track_id ?? 0 })
  expect(top20.songs.map((song) => song.rank)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  const { songs } = await pool.ask(charts.getTrendingTracks, {})
  expect(songs.map((song) => song.rank)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
})

test('the demo’s DJ has playlists and recently played songs, and finds the pool’s public playlists', async () => {
  const { token } = await pool.ask(membership.signIn, { email: 'dj@demo.test', password: 'dubplate' })
  const lists = await pool.ask(playlists.getPlaylists, {}, token)
  expect(lists.playlists).toHaveLength(2)
  expect(lists.public_playlists).toHaveLength(5)
  for (const playlist of lists.public_playlists) {
    expect(playlist).toMatchObject({ public: true, mine: false, images: { length: 4 } })
    expect(playlist.song_count).toBeGreaterThanOrEqual(12)
    expect(playlist.song_count).toBeLessThanOrEqual(25)
  }
  const recent = await pool.ask(player.recentPlayed, {}, token)
  expect(recent.songs.length).toBeGreaterThan(10)
})

test('lists songs and playlists that were just played', async () => {
  expect((await pool.ask(player.justPlayed, {})).songs).toHaveLength(10)
  expect((await pool.ask(playlists.playlistsJustPlayed, {})).playlists).toHaveLength(5)
})

test('the store has eight products, and the news has announcements for each page', async () => {
  const { products, store_url } = await pool.ask(site.getProducts, {})
  expect(products).toHaveLength(8)
  expect(products.every((product) => / EUR$/.test(product.price) && product.url.startsWith(store_url))).toBe(true)
  const { announcements } = await pool.ask(site.getNews, {})
  expect(new Set(announcements.map((one) => one.page_name))).toEqual(new Set(['mp3_home', 'mp3_chart', 'mp3_latest']))
})

test('every page has text, and there are openings and announcements in every state', async () => {
  for (const slug of site.PAGES) expect((await pool.ask(site.getPage, { slug })).html.length, slug).toBeGreaterThan(300)
  expect((await pool.ask(site.getOpenings, {})).openings).toHaveLength(2)
  const announced = `select count(*)::int as n from announcement where`
  expect(await number(`${announced} audience = 'paid'`)).toBe(1)
  expect(await number(`${announced} audience = 'unpaid'`)).toBe(1)
  expect(await number(`${announced} published_at > now()`)).toBe(1)
  expect(await number(`${announced} ended_at < now()`)).toBe(1)
  expect(await number(`${announced} written_by is null`)).toBe(0)
})

const asStaff = async () =>
  (await pool.ask(membership.signIn, { email: 'staff@demo.test', password: 'dubplate' })).token

const dayOf = (date: Date) => ({ day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() })
const addUp = (amounts: readonly { amount: string }[]) =>
  amounts.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)

test('paid members are those with a running subscription, in the list of members, the dashboard and the reports', async () => {
  const token = await asStaff()
  const { counts } = await pool.ask(members.getMembers, {}, token)
  const listed = (await pool.ask(subscriptions.getSubscriptions, {}, token)).counts
  const running = listed.trialing + listed.active + listed.past_due + listed.cancel_scheduled
  expect(counts.paid).toBe(running)
  expect(counts.paid).toBeGreaterThan(40)
  const { metrics } = await pool.ask(dashboard.getMetrics, { period: 'month' }, token)
  expect(metrics.find(({ metric }) => metric === 'subscribers')?.now).toBe(running)
  const today = dayOf(new Date())
  const sheet = await pool.ask(books.getMonthSheet, { from: today, to: today }, token)
  expect(sheet.members.at_end).toBe(running)
  // A member's own record agrees, one by one.
  expect(
    await number(`
      select count(*)::int as n from customer c where (payment_profile_status = 'paid') <> exists (
        select 1 from subscription s join charge p using (subscription_id)
        where s.customer_id = c.customer_id and p.status = 'paid' and s.access_until > now())`),
  ).toBe(0)
})

test('payments, ledger, invoices, reports and the dashboard give the same revenue', async () => {
  const token = await asStaff()
  const range = { from: { day: 1, month: 1, year: 2000 }, to: dayOf(new Date()) }
  const sheet = await pool.ask(books.getMonthSheet, range, token)
  expect(sheet.balance_error).toBe('')
  const [sum] = sheet.sums
  expect(sheet.sums).toHaveLength(1)
  const total = addUp([{ amount: sum?.total ?? '0' }])
  expect(total).toBeGreaterThan(100_000)
  expect(await number('select sum(amount_minor)::int as n from ledger')).toBe(total)
  expect(await number('select sum(total_minor)::int as n from invoice')).toBe(total)
  expect(await number(`select sum(amount_minor)::int as n from charge where status = 'paid'`)).toBe(
    addUp([{ amount: sum?.gross ?? '0' }]),
  )
  expect(await number('select sum(amount_minor)::int as n from refund')).toBe(addUp([{ amount: sum?.refunds ?? '0' }]))
  const { metrics } = await pool.ask(dashboard.getMetrics, { period: 'year' }, token)
  expect(metrics.find(({ metric }) => metric === 'revenue')?.now).toBe(total)

  const paid = await pool.ask(payments.getPayments, { state: 'paid' }, token)
  const issued = await pool.ask(invoices.getInvoices, { kind: 'invoice' }, token)
  expect(paid.pagination.totalCount).toBe(issued.pagination.totalCount)
  const refunded = await pool.ask(payments.getPayments, { state: 'refunded' }, token)
  const credited = await pool.ask(invoices.getInvoices, { kind: 'credit_note' }, token)
  expect(refunded.pagination.totalCount).toBe(credited.pagination.totalCount)
  expect(refunded.payments.map(({ status }) => status)).toEqual(expect.arrayContaining(['refunded', 'partly_refunded']))
  // Numbers follow the order of the payments.
  expect(
    await number(`
      select count(*)::int as n from (
        select issued_at < lag(issued_at) over (partition by year order by serial) as is_earlier from invoice) i
      where is_earlier`),
  ).toBe(0)
})

test('the pool has grown for months, with subscriptions in every state', async () => {
  const token = await asStaff()
  const joined = `select count(distinct date_trunc('month', decided_at))::int as n from dj_application where state = 'approved'`
  expect(await number(joined)).toBeGreaterThanOrEqual(8)
  expect(await number(`select count(*)::int as n from customer where status = 'suspended'`)).toBe(1)
  const { counts } = await pool.ask(subscriptions.getSubscriptions, {}, token)
  for (const state of ['trialing', 'active', 'past_due', 'cancel_scheduled', 'ended', 'failed'] as const)
    expect(counts[state], state).toBeGreaterThan(0)
  const queue = await pool.ask(support.getQueue, {}, token)
  for (const state of ['waiting', 'answered', 'close'] as const) expect(queue.counts[state], state).toBeGreaterThan(2)
  expect((await pool.ask(staff.getApplications, {}, token)).counts.pending).toBeGreaterThan(2)
  const { items, steps } = await pool.ask(dashboard.getAttentionItems, {}, token)
  // The demo's music and terms do not count as the pool's own.
  expect(steps.flatMap(({ step, is_done }) => (is_done ? [step] : []))).toEqual(['plans'])
  expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['past_due', 'applications', 'tickets']))
  expect(items.map(({ kind }) => kind)).not.toContain('songs_without_art')
})

test('members download only while they have access, and listen only once they are approved', async () => {
  expect(
    await number(`
      select count(*)::int as n from download d where not exists (
        select 1 from charge c join subscription s using (subscription_id)
        where c.customer_id = d.customer_id and c.status = 'paid' and d.at >= c.period_start
          and d.at < coalesce(s.ended_at, s.access_until))`),
  ).toBe(0)
  expect(
    await number(`
      select count(*)::int as n from listen l left join dj_application a using (customer_id)
      where l.customer_id is not null and (a.decided_at is null or l.at < a.decided_at)`),
  ).toBe(0)
})

test('no email is queued, and no subscription is due at once', async () => {
  expect(await number('select count(*)::int as n from outgoing_mail')).toBe(0)
  expect(await number('select count(*)::int as n from invoice where mailed_at is null')).toBe(0)
  const due = `select count(*)::int as n from subscription where next_check_at <= '${NOW.toISOString()}'`
  expect(await number(due)).toBe(0)
})

test('subscriptions renew by themselves, without errors and without emails to members who do not exist', async () => {
  const { ctx } = pool
  const errors: unknown[] = []
  const log = { ...ctx.log, error: (...entry: unknown[]) => errors.push(entry) } as typeof ctx.log
  const paid = `select count(*)::int as n from charge where status = 'paid'`
  const before = await number(paid)
  for (let day = 1; day <= 32; day += 1) {
    const now = () => new Date(NOW.getTime() + day * 24 * 60 * 60 * 1000)
    while (await processDueSubscriptions({ ...ctx, log, now }));
  }
  expect(errors).toEqual([])
  expect(await number(paid)).toBeGreaterThan(before + 40)
  expect(await number('select sum(amount_minor)::int as n from ledger')).toBe(
    await number('select sum(total_minor)::int as n from invoice'),
  )
  expect(await number(`select count(*)::int as n from outgoing_mail where to_address like '%.invalid'`)).toBe(0)
})
