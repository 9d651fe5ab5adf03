import { type InputOf, notices, savedSearches } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { notifySavedSearches } from './search-notifications.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
beforeEach(async () => {
  await pool.ctx.sql`delete from saved_search`
  await pool.ctx.sql`delete from outgoing_mail`
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type Query = InputOf<typeof savedSearches.saveSearch>['query']

const save = async ({ token }: Member, name: string, query: Query, by_email = false) =>
  (await pool.ask(savedSearches.saveSearch, { name, query, by_email }, token)).search

/** Simulates time passing: moves everything that happened back by this many minutes. */
async function passMinutes(minutes: number) {
  const { sql } = pool.ctx
  const backInterval = sql`make_interval(mins => ${minutes})`
  await sql`update song set created_at = created_at - ${backInterval}`
  await sql`
    update saved_search set created_at = created_at - ${backInterval}, seen_at = seen_at - ${backInterval}, notified_at = notified_at - ${backInterval},
      mailed_at = mailed_at - ${backInterval}`
  await sql`update notification set created_at = created_at - ${backInterval}, read_at = read_at - ${backInterval}`
}

/** Adds a song dated some minutes ago. */
async function addNewSong(title: string, artist = 'Halo', song_section_id = 1) {
  const song = await aSong(pool.ctx, { title, artist, song_section_id })
  await passMinutes(5)
  return song
}

const notifyAll = () => notifySavedSearches(pool.ctx)
const notificationsOf = async ({ token }: Member) =>
  (await pool.ask(notices.getNotices, {}, token)).notices.map(({ text, is_read }) => [text, is_read])
const emailsTo = ({ email }: Member) => pool.ctx.sql<{ subject: string; body: string; html: string }[]>`
  select subject, body, html from outgoing_mail where to_address = ${email} order by mail_id`

test('notifies a member of each search with new songs, with its link', async () => {
  const member = await aMember(pool.ctx)
  const search = await save(member, 'Sundays', { searchTerm: 'sunrise/set', genre_id: null, not_downloaded: true })
  await save(member, 'Never', { searchTerm: 'neverfound' })
  await passMinutes(5)
  await addNewSong('Sunrise Set')
  await notifyAll()
  const { notices: received } = await pool.ask(notices.getNotices, {}, member.token)
  expect(received).toMatchObject([
    { kind: 'search', text: '1 new song for “Sundays”', address: '/search/result/sunrise%2Fset?fresh=1' },
  ])
  await pool.ask(savedSearches.markSeen, { saved_search_id: search.saved_search_id }, member.token)
  expect(await notificationsOf(member)).toEqual([['1 new song for “Sundays”', true]])
})

test('a search of all sections finds a new kut, one of songs does not', async () => {
  const member = await aMember(pool.ctx)
  const allSongs = await save(member, 'All', { searchTerm: 'moonset', song_section_id: 0 })
  expect(allSongs.query.song_section_id).toBe(0)
  await save(member, 'Songs', { searchTerm: 'moonset' })
  await passMinutes(5)
  await addNewSong('Moonset', 'Halo', 2)
  await notifyAll()
  const { notices: received } = await pool.ask(notices.getNotices, {}, member.token)
  expect(received).toMatchObject([{ text: '1 new song for “All”', address: '/search/result/moonset?section=all' }])
})

test('notifies once; an unread notification counts all new songs', async () => {
  const member = await aMember(pool.ctx)
  await save(member, 'Comets', { searchTerm: 'comet' })
  await passMinutes(5)
  await addNewSong('Comet One')
  await notifyAll()
  await passMinutes(20)
  await pool.ask(notices.readNotices, {}, member.token)
  await notifyAll()
  expect(await notificationsOf(member)).toEqual([['1 new song for “Comets”', true]])
  await addNewSong('Comet Two')
  await notifyAll()
  await passMinutes(20)
  await addNewSong('Comet Three')
  await notifyAll()
  expect(await notificationsOf(member)).toEqual([
    ['3 new songs for “Comets”', false],
    ['1 new song for “Comets”', true],
  ])
})

test('does not notify of songs that were seen on the site', async () => {
  const member = await aMember(pool.ctx)
  const { saved_search_id } = await save(member, 'Lanterns', { searchTerm: 'lantern' })
  await passMinutes(5)
  await addNewSong('Lantern')
  await pool.ask(savedSearches.markSeen, { saved_search_id }, member.token)
  await passMinutes(5)
  await notifyAll()
  expect(await notificationsOf(member)).toEqual([])
})

test('songs of the current minute are reported later', async () => {
  const member = await aMember(pool.ctx)
  await save(member, 'Embers', { searchTerm: 'ember' })
  await passMinutes(5)
  await aSong(pool.ctx, { title: 'Ember', artist: 'Halo' })
  await notifyAll()
  expect(await notificationsOf(member)).toEqual([])
  await passMinutes(2)
  await notifyAll()
  expect(await notificationsOf(member)).toEqual([['1 new song for “Embers”', false]])
})

test('sends one email for all searches with email turned on, with a link to each song', async () => {
  const member = await aMember(pool.ctx)
  await save(member, 'Quartz & <Glass>', { searchTerm: 'quartz' }, true)
  await save(member, 'Basalt', { searchTerm: 'basalt' }, true)
  await save(member, 'Not mailed', { searchTerm: 'quartz OR basalt' })
  await save(member, 'Empty', { searchTerm: 'neverfound' }, true)
  await passMinutes(5)
  const quartzSong = await addNewSong('Quartz <b>', 'Vein & Co')
  for (let n = 0; n < 12; n++) await addNewSong(`Basalt ${n}`)
  await notifyAll()
  const [sentMail, ...others] = await emailsTo(member)
  expect(others).toEqual([])
  expect(sentMail?.subject).toBe('New music for 2 saved searches')
  expect(sentMail?.body).toContain(
    `- Vein & Co – Quartz <b>\n  ${pool.ctx.config.publicUrl}/song/${quartzSong.entity_id}`,
  )
  expect(sentMail?.body).toContain('Basalt: 12 new songs')
  expect(sentMail?.body.match(/Halo – Basalt/g)).toHaveLength(10)
  expect(sentMail?.html).toContain('Vein &#38; Co – Quartz &#60;b&#62;')
  expect(sentMail?.html).toContain('Quartz &#38; &#60;Glass&#62;: 1 new song')
  expect(sentMail?.body).not.toContain('Not mailed')
  expect(sentMail?.body).not.toContain('Empty')
})

test('sends a member at most one such email per day; the next one has the songs added since, unless they were seen', async () => {
  const member = await aMember(pool.ctx)
  const driftwoodSearch = await save(member, 'Driftwood', { searchTerm: 'driftwood' }, true)
  await save(member, 'Anchors', { searchTerm: 'anchor' }, true)
  await passMinutes(5)
  await addNewSong('Driftwood One')
  await notifyAll()
  expect(await emailsTo(member)).toMatchObject([{ subject: '1 new song for “Driftwood”' }])
  await passMinutes(60)
  await addNewSong('Driftwood Two')
  await addNewSong('Anchor One')
  await notifyAll()
  await passMinutes(20 * 60)
  await notifyAll()
  expect(await emailsTo(member)).toHaveLength(1)
  await pool.ask(savedSearches.markSeen, { saved_search_id: driftwoodSearch.saved_search_id }, member.token)
  await passMinutes(4 * 60)
  await notifyAll()
  await passMinutes(26 * 60)
  await notifyAll()
  const emails = await emailsTo(member)
  expect(emails.map(({ subject }) => subject)).toEqual(['1 new song for “Driftwood”', '1 new song for “Anchors”'])
  expect(emails[1]?.body).not.toContain('Driftwood')
})

test('a member without emails about searches is only notified by the bell', async () => {
  const member = await aMember(pool.ctx)
  await pool.ask(notices.saveChoices, { by_email: { reply: true, upload: true, search: false } }, member.token)
  await save(member, 'Feathers', { searchTerm: 'feather' }, true)
  await passMinutes(5)
  await addNewSong('Feather')
  await notifyAll()
  expect(await emailsTo(member)).toEqual([])
  expect(await notificationsOf(member)).toHaveLength(1)
})

test('does not notify a suspended member; notifies them again once the suspension ends', async () => {
  const { sql } = pool.ctx
  const member = await aMember(pool.ctx)
  await save(member, 'Gravel', { searchTerm: 'gravel' }, true)
  await passMinutes(5)
  await addNewSong('Gravel')
  await sql`update customer set status = 'suspended' where customer_id = ${member.customer_id}`
  await notifyAll()
  await sql`update customer set status = 'active' where customer_id = ${member.customer_id}`
  await sql`update dj_application set state = 'pending' where customer_id = ${member.customer_id}`
  await notifyAll()
  expect(await emailsTo(member)).toEqual([])
  await sql`update dj_application set state = 'approved' where customer_id = ${member.customer_id}`
  await notifyAll()
  expect(await emailsTo(member)).toHaveLength(1)
})

test('a search that no longer works does not prevent other notifications', async () => {
  const member = await aMember(pool.ctx)
  const gone = await aGenre(pool.ctx, 'Gone Genre')
  await save(member, 'A broken one', { searchTerm: 'genre:"gone genre"' }, true)
  await save(member, 'Ivory', { searchTerm: 'ivory' }, true)
  await pool.ctx.sql`delete from genre where genre_id = ${gone}`
  await passMinutes(5)
  await addNewSong('Ivory')
  await notifyAll()
  expect(await emailsTo(member)).toMatchObject([{ subject: '1 new song for “Ivory”' }])
})

test('two workers at once notify once', async () => {
  const member = await aMember(pool.ctx)
  await save(member, 'Juniper', { searchTerm: 'juniper' }, true)
  await passMinutes(5)
  await addNewSong('Juniper')
  await Promise.all([notifyAll(), notifyAll(), notifyAll()])
  expect(await emailsTo(member)).toHaveLength(1)
  expect(await notificationsOf(member)).toHaveLength(1)
})
