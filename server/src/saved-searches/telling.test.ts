import { type InputOf, notices, savedSearches } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { tellSavedSearches } from './telling.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
beforeEach(async () => {
  await pool.world.sql`delete from saved_search`
  await pool.world.sql`delete from outgoing_mail`
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type Query = InputOf<typeof savedSearches.saveSearch>['query']

const save = async ({ token }: Member, name: string, query: Query, by_mail = false) =>
  (await pool.ask(savedSearches.saveSearch, { name, query, by_mail }, token)).search

/** Lets time go by: everything that happened until now was so long ago. */
async function pass(minutes: number) {
  const { sql } = pool.world
  const back = sql`make_interval(mins => ${minutes})`
  await sql`update song set created_at = created_at - ${back}`
  await sql`
    update saved_search set created_at = created_at - ${back}, seen_at = seen_at - ${back}, told_at = told_at - ${back},
      mailed_at = mailed_at - ${back}`
  await sql`update notice set created_at = created_at - ${back}, read_at = read_at - ${back}`
}

/** A song that came some minutes ago. */
async function came(title: string, artist = 'Halo', song_section_id = 1) {
  const song = await aSong(pool.world, { title, artist, song_section_id })
  await pass(5)
  return song
}

const tell = () => tellSavedSearches(pool.world)
const toldTo = async ({ token }: Member) =>
  (await pool.ask(notices.getNotices, {}, token)).notices.map(({ text, is_read }) => [text, is_read])
const lettersTo = ({ email }: Member) => pool.world.sql<{ subject: string; body: string; html: string }[]>`
  select subject, body, html from outgoing_mail where to_address = ${email} order by mail_id`

test('notifies a member of each search with new songs, with its link', async () => {
  const member = await aMember(pool.world)
  const search = await save(member, 'Sundays', { searchTerm: 'sunrise/set', genre_id: null, not_downloaded: true })
  await save(member, 'Never', { searchTerm: 'neverfound' })
  await pass(5)
  await came('Sunrise Set')
  await tell()
  const { notices: told } = await pool.ask(notices.getNotices, {}, member.token)
  expect(told).toMatchObject([
    { kind: 'search', text: '1 new song for “Sundays”', address: '/search/result/sunrise%2Fset?fresh=1' },
  ])
  await pool.ask(savedSearches.markSeen, { saved_search_id: search.saved_search_id }, member.token)
  expect(await toldTo(member)).toEqual([['1 new song for “Sundays”', true]])
})

test('a search of all sections finds a new kut, one of songs does not', async () => {
  const member = await aMember(pool.world)
  const all = await save(member, 'All', { searchTerm: 'moonset', song_section_id: 0 })
  expect(all.query.song_section_id).toBe(0)
  await save(member, 'Songs', { searchTerm: 'moonset' })
  await pass(5)
  await came('Moonset', 'Halo', 2)
  await tell()
  const { notices: told } = await pool.ask(notices.getNotices, {}, member.token)
  expect(told).toMatchObject([{ text: '1 new song for “All”', address: '/search/result/moonset?section=all' }])
})

test('notifies once; an unread notification counts all new songs', async () => {
  const member = await aMember(pool.world)
  await save(member, 'Comets', { searchTerm: 'comet' })
  await pass(5)
  await came('Comet One')
  await tell()
  await pass(20)
  await pool.ask(notices.readNotices, {}, member.token)
  await tell()
  expect(await toldTo(member)).toEqual([['1 new song for “Comets”', true]])
  await came('Comet Two')
  await tell()
  await pass(20)
  await came('Comet Three')
  await tell()
  expect(await toldTo(member)).toEqual([
    ['3 new songs for “Comets”', false],
    ['1 new song for “Comets”', true],
  ])
})

test('what was seen on the screen is not told', async () => {
  const member = await aMember(pool.world)
  const { saved_search_id } = await save(member, 'Lanterns', { searchTerm: 'lantern' })
  await pass(5)
  await came('Lantern')
  await pool.ask(savedSearches.markSeen, { saved_search_id }, member.token)
  await pass(5)
  await tell()
  expect(await toldTo(member)).toEqual([])
})

test('songs of the current minute are reported later', async () => {
  const member = await aMember(pool.world)
  await save(member, 'Embers', { searchTerm: 'ember' })
  await pass(5)
  await aSong(pool.world, { title: 'Ember', artist: 'Halo' })
  await tell()
  expect(await toldTo(member)).toEqual([])
  await pass(2)
  await tell()
  expect(await toldTo(member)).toEqual([['1 new song for “Embers”', false]])
})

test('one letter for all searches that are to be mailed, with a link to each song', async () => {
  const member = await aMember(pool.world)
  await save(member, 'Quartz & <Glass>', { searchTerm: 'quartz' }, true)
  await save(member, 'Basalt', { searchTerm: 'basalt' }, true)
  await save(member, 'Not mailed', { searchTerm: 'quartz OR basalt' })
  await save(member, 'Empty', { searchTerm: 'neverfound' }, true)
  await pass(5)
  const quartz = await came('Quartz <b>', 'Vein & Co')
  for (let n = 0; n < 12; n++) await came(`Basalt ${n}`)
  await tell()
  const [letter, ...others] = await lettersTo(member)
  expect(others).toEqual([])
  expect(letter?.subject).toBe('New music for 2 saved searches')
  expect(letter?.body).toContain(`- Vein & Co – Quartz <b>\n  ${pool.world.config.publicUrl}/song/${quartz.entity_id}`)
  expect(letter?.body).toContain('Basalt: 12 new songs')
  expect(letter?.body.match(/Halo – Basalt/g)).toHaveLength(10)
  expect(letter?.html).toContain('Vein &#38; Co – Quartz &#60;b&#62;')
  expect(letter?.html).toContain('Quartz &#38; &#60;Glass&#62;: 1 new song')
  expect(letter?.body).not.toContain('Not mailed')
  expect(letter?.body).not.toContain('Empty')
})

test('a member gets at most one such letter in a day; the next has what came since, unless it was seen', async () => {
  const member = await aMember(pool.world)
  const drift = await save(member, 'Driftwood', { searchTerm: 'driftwood' }, true)
  await save(member, 'Anchors', { searchTerm: 'anchor' }, true)
  await pass(5)
  await came('Driftwood One')
  await tell()
  expect(await lettersTo(member)).toMatchObject([{ subject: '1 new song for “Driftwood”' }])
  await pass(60)
  await came('Driftwood Two')
  await came('Anchor One')
  await tell()
  await pass(20 * 60)
  await tell()
  expect(await lettersTo(member)).toHaveLength(1)
  await pool.ask(savedSearches.markSeen, { saved_search_id: drift.saved_search_id }, member.token)
  await pass(4 * 60)
  await tell()
  await pass(26 * 60)
  await tell()
  const letters = await lettersTo(member)
  expect(letters.map(({ subject }) => subject)).toEqual(['1 new song for “Driftwood”', '1 new song for “Anchors”'])
  expect(letters[1]?.body).not.toContain('Driftwood')
})

test('whoever wants no mail about searches is told by the bell alone', async () => {
  const member = await aMember(pool.world)
  await pool.ask(notices.saveChoices, { by_mail: { reply: true, upload: true, search: false } }, member.token)
  await save(member, 'Feathers', { searchTerm: 'feather' }, true)
  await pass(5)
  await came('Feather')
  await tell()
  expect(await lettersTo(member)).toEqual([])
  expect(await toldTo(member)).toHaveLength(1)
})

test('who may not come in is not told; who is let in again is', async () => {
  const { sql } = pool.world
  const member = await aMember(pool.world)
  await save(member, 'Gravel', { searchTerm: 'gravel' }, true)
  await pass(5)
  await came('Gravel')
  await sql`update customer set status = 'suspended' where customer_id = ${member.customer_id}`
  await tell()
  await sql`update customer set status = 'active' where customer_id = ${member.customer_id}`
  await sql`update dj_application set state = 'pending' where customer_id = ${member.customer_id}`
  await tell()
  expect(await lettersTo(member)).toEqual([])
  await sql`update dj_application set state = 'approved' where customer_id = ${member.customer_id}`
  await tell()
  expect(await lettersTo(member)).toHaveLength(1)
})

test('a search that cannot be asked any more keeps nobody from being told', async () => {
  const member = await aMember(pool.world)
  const gone = await aGenre(pool.world, 'Gone Genre')
  await save(member, 'A broken one', { searchTerm: 'genre:"gone genre"' }, true)
  await save(member, 'Ivory', { searchTerm: 'ivory' }, true)
  await pool.world.sql`delete from genre where genre_id = ${gone}`
  await pass(5)
  await came('Ivory')
  await tell()
  expect(await lettersTo(member)).toMatchObject([{ subject: '1 new song for “Ivory”' }])
})

test('two workers at once tell it once', async () => {
  const member = await aMember(pool.world)
  await save(member, 'Juniper', { searchTerm: 'juniper' }, true)
  await pass(5)
  await came('Juniper')
  await Promise.all([tell(), tell(), tell()])
  expect(await lettersTo(member)).toHaveLength(1)
  expect(await toldTo(member)).toHaveLength(1)
})
