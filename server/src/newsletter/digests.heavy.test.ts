import type { Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverMail, findMailTo, type MailServer, openMailServer } from '../../test/mail-server.ts'
import { aGenre, aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import type { AppContext } from '../app-context.ts'
import { findDueDigest, sendDigests, sweepDigests } from './digests.ts'

const THURSDAY = new Date('2026-03-12T15:00:00Z')
const HOUR = 3_600_000
const after = (hours: number) => new Date(THURSDAY.getTime() + hours * HOUR)

let pool: TestPool
let post: MailServer
let house: number
let deep: number
let techno: number
beforeAll(async () => {
  post = await openMailServer()
  pool = await openTestPool({
    config: { smtpUrl: post.url, publicUrl: 'https://pool.example' },
    settings: { poolName: 'Night Shift' },
  })
  house = await aGenre(pool.ctx, 'House')
  deep = await aGenre(pool.ctx, 'Deep', { parent_id: house })
  techno = await aGenre(pool.ctx, 'Techno')
})
afterAll(async () => {
  await pool.close()
  await post.close()
})
beforeEach(async () => {
  await pool.ctx
    .sql`truncate song, newsletter_subscriber, outgoing_mail, followed_genre, followed_name, followed_list cascade`
  post.mails.splice(0)
})

const atTime = (now: Date): AppContext => ({ ...pool.ctx, now: () => now })
async function send(now = THURSDAY) {
  await sendDigests(atTime(now))
  await deliverMail(pool.ctx)
}

let n = 0
type SongOverrides = {
  title?: string
  genres?: number[]
  at?: Date
  bpm?: number
  to?: number
  key?: string
  section?: number
}
/** Without files, because a digest lists songs without playing them. */
async function aNewSong(overrides: SongOverrides = {}) {
  const title = overrides.title ?? `Song ${++n}`
  const section = overrides.section ?? 1
  const [song] = await pool.ctx.sql<{ entity_id: number }[]>`
    insert into song (title, artist, min_bpm, max_bpm, song_key, song_section_id, song_identity, created_at)
    values (${title}, 'Kwame', ${overrides.bpm ?? null}, ${overrides.to ?? overrides.bpm ?? null}, ${overrides.key ?? null}, ${section},
      ${`${title} ${++n}`}, ${overrides.at ?? after(-1)}) returning entity_id`
  const { entity_id = 0 } = song ?? {}
  for (const genre of overrides.genres ?? [])
    await pool.ctx
      .sql`insert into song_genre (entity_id, genre_id, listed_section) values (${entity_id}, ${genre}, ${section})`
  return entity_id
}
async function aSubscriber(email = `reader${++n}@example.test`, confirmed = after(-24 * 30)) {
  await pool.ctx.sql`
    insert into newsletter_subscriber (email, state, confirmed_at) values (${email}, 'subscribed', ${confirmed})`
  return email
}
async function aFollower(genres: number[], overrides: Parameters<typeof aMember>[1] = {}) {
  const { customer_id, email } = await aMember(pool.ctx, overrides)
  for (const genre of genres)
    await pool.ctx.sql`insert into followed_genre (customer_id, genre_id) values (${customer_id}, ${genre})`
  return aSubscriber(email)
}
const titles = (mail: Email | undefined) =>
  [...(mail?.text ?? '').matchAll(/^- Kwame – (.+?)(?: \(.*)?$/gm)].map(([, title]) => title)
const emailsTo = (email: string) => findMailTo(post, email)

test('a week’s digest is sent from Thursday at 15:00 UTC to the end of Sunday, for the seven days before', () => {
  const due = {
    monday: '2026-03-09',
    week: { from: new Date('2026-03-05T15:00:00Z'), to: THURSDAY },
  }
  expect(findDueDigest(new Date('2026-03-09T00:00:00Z'))).toBeUndefined()
  expect(findDueDigest(new Date('2026-03-12T14:59:59Z'))).toBeUndefined()
  expect(findDueDigest(THURSDAY)).toEqual(due)
  expect(findDueDigest(new Date('2026-03-15T23:59:59Z'))).toEqual(due)
  expect(findDueDigest(new Date('2026-03-16T00:00:00Z'))).toBeUndefined()
})

test('a digest lists the week’s songs, newest first, with the details DJs need and links', async () => {
  await aNewSong({ title: 'Older', bpm: 124, to: 128, key: 'Am', genres: [deep, house], at: after(-100) })
  const id = await aNewSong({ title: 'Night Bus', bpm: 123.7, key: 'F#m', genres: [techno] })
  await aNewSong({ title: 'Bare', at: after(-2) })
  const email = await aSubscriber()
  await send()
  const [mail] = emailsTo(email)
  expect(mail?.subject).toBe('3 new songs on Night Shift')
  expect(mail?.text).toContain(`- Kwame – Night Bus (124 BPM, F#m, Techno)\n  https://pool.example/song/${id}`)
  expect(mail?.text).toContain('- Kwame – Older (124–128 BPM, Am, House)')
  expect(mail?.text).toContain('- Kwame – Bare\n')
  expect(titles(mail)).toEqual(['Night Bus', 'Bare', 'Older'])
  expect(mail?.html).toContain(`<a href="https://pool.example/song/${id}"`)
})

test('leaves out earlier and later songs, unpublished songs and kuts', async () => {
  await aNewSong({ title: 'In', at: after(-24 * 7) })
  await aNewSong({ title: 'Too old', at: after(-24 * 7 - 0.1) })
  await aNewSong({ title: 'Next week', at: after(0) })
  await aNewSong({ title: 'A kut', section: 2 })
  const draft = await aNewSong({ title: 'Withdrawn' })
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${draft}`
  const email = await aSubscriber()
  await send(after(5))
  expect(titles(emailsTo(email)[0])).toEqual(['In'])
})

test('lists twenty songs and the number of further ones', async () => {
  for (let i = 0; i < 23; i += 1) await aNewSong({ at: after(-i - 1) })
  const email = await aSubscriber()
  await send()
  const [mail] = emailsTo(email)
  expect(titles(mail)).toHaveLength(20)
  expect(mail?.subject).toBe('23 new songs on Night Shift')
  expect(mail?.text).toContain('- and 3 more\n  https://pool.example/newRelease')
})

test('members who follow genres get the songs of these and their sub-genres', async () => {
  await aNewSong({ title: 'Deep one', genres: [deep], at: after(-1) })
  await aNewSong({ title: 'House one', genres: [house], at: after(-2) })
  await aNewSong({ title: 'Techno one', genres: [techno], at: after(-3) })
  await aNewSong({ title: 'Both', genres: [deep, techno], at: after(-4) })
  const [ofHouse, ofDeep, ofBoth, ofNone] = [
    await aFollower([house]),
    await aFollower([deep]),
    await aFollower([deep, techno]),
    await aFollower([]),
  ]
  const suspended = await aFollower([techno], { status: 'suspended' })
  await send()
  expect(titles(emailsTo(ofHouse)[0])).toEqual(['Deep one', 'House one', 'Both'])
  expect(titles(emailsTo(ofDeep)[0])).toEqual(['Deep one', 'Both'])
  expect(titles(emailsTo(ofBoth)[0])).toEqual(['Deep one', 'Techno one', 'Both'])
  expect(titles(emailsTo(ofNone)[0])).toHaveLength(4)
  expect(titles(emailsTo(suspended)[0])).toHaveLength(4)
  expect(emailsTo(ofHouse)[0]?.text).toContain('in the genres you follow')
  expect(emailsTo(ofNone)[0]?.text).not.toContain('in the genres you follow')
})

test('songs of followed artists and labels come first, also outside the followed genres', async () => {
  const credited = async (title: string, names: [kind: string, key: string][], genre: number, hours: number) => {
    const entityId = await aNewSong({ title, genres: [genre], at: after(hours) })
    for (const [kind, key] of names)
      await pool.ctx.sql`insert into song_credit (entity_id, kind, credit_key, name, song_section_id)
        values (${entityId}, ${kind}, ${key}, ${key}, 1)`
  }
  await credited(
    'By both',
    [
      ['artist', 'mara'],
      ['artist', 'halo'],
    ],
    techno,
    -5,
  )
  await credited('By Mara', [['artist', 'mara']], techno, -6)
  await credited('On the label', [['label', 'mara']], techno, -7)
  await credited('House', [], house, -1)
  const follow = async (email: string, kind: string, keys: string[]) => {
    await pool.ctx.sql`insert into followed_name (customer_id, kind, credit_keys, name)
      select customer_id, ${kind}, ${keys}::text[], 'Name' from customer where email = ${email}`
    return email
  }
  const ofMara = await follow(await aFollower([house]), 'artist', ['mara'])
  const ofBoth = await follow(await aFollower([house]), 'artist', ['halo', 'mara'])
  const ofLabel = await follow(await aFollower([]), 'label', ['mara'])
  await send()
  expect(titles(emailsTo(ofMara)[0])).toEqual(['By both', 'By Mara', 'House'])
  expect(titles(emailsTo(ofBoth)[0])).toEqual(['By both', 'House'])
  expect(titles(emailsTo(ofLabel)[0])).toEqual(['On the label', 'House', 'By both', 'By Mara'])
  expect(emailsTo(ofMara)[0]?.text).toContain('in the genres you follow, and from the artists and labels you follow')
})

describe('followed lists', () => {
  const followLists = async (email: string, ...lists: [kind: string, id: number, chart?: string][]) => {
    for (const [kind, id, chart = ''] of lists)
      await pool.ctx.sql`
        insert into followed_list (customer_id, kind, list_id, chart, song_section_id)
        select customer_id, ${kind}, ${id}, ${chart}, ${chart ? 1 : 0} from customer where email = ${email}`
    return email
  }
  const aSpotlight = async (title: string, entries: [entityId: number, at: Date | null][]) => {
    const { sql } = pool.ctx
    const [list] = await sql<{ id: number }[]>`
      insert into curated_list (title, created_by) values (${title}, 'Mara') returning curated_list_id as id`
    for (const [n, [entityId, at]] of entries.entries())
      await sql`insert into curated_list_song (curated_list_id, position, entity_id, added_at)
        values (${list?.id ?? 0}, ${n + 1}, ${entityId}, ${at})`
    return list?.id ?? 0
  }

  test('names followed lists with new songs, whose songs come first, also outside the followed genres', async () => {
    const { sql } = pool.ctx
    const listed = await aNewSong({ title: 'Listed', genres: [techno], at: after(-50) })
    const old = await aNewSong({ title: 'Old', at: after(-24 * 60) })
    await aNewSong({ title: 'House', genres: [house] })
    const changed = await aSpotlight('Warm up', [
      [listed, after(-20)],
      [old, after(-10)],
    ])
    const unchanged = await aSpotlight('Classics', [[old, null]])
    const hidden = await aSpotlight('Hidden', [[listed, after(-20)]])
    await sql`update curated_list set unpublished_at = now() where curated_list_id = ${hidden}`
    await sql`
      insert into chart_snapshot (chart, genre_id, song_section_id, rank, entity_id, n, entered_at)
      values ('weekly', ${house}, 1, 1, ${listed}, 5, ${after(-20)})`
    const [top20] = await sql<{ id: number }[]>`
      insert into top20 (title, published_at) values ('March', ${after(-30)}) returning top20_track_id as id`
    const email = await followLists(
      await aFollower([house]),
      ...(
        [
          ['spotlight', changed],
          ['spotlight', unchanged],
          ['spotlight', hidden],
          ['chart', house, 'weekly'],
          ['top20', 0],
        ] as const
      ).map((each) => [...each] as [string, number, string?]),
    )
    await send()
    const [mail] = emailsTo(email)
    expect(titles(mail)).toEqual(['Listed', 'House'])
    expect(mail?.text).toContain(`- Warm up: 2 new songs\n  https://pool.example/spotlight/view/${changed}`)
    expect(mail?.text).toContain(
      `- Weekly chart, House: 1 new entry\n  https://pool.example/charts?chart=weekly&genre=${house}`,
    )
    expect(mail?.text).toContain(`- New top 20: March\n  https://pool.example/top20/songs/${top20?.id}`)
    expect(mail?.text).not.toMatch(/Classics|Hidden/)
  })

  test('sends an email if only lists have changed', async () => {
    const old = await aNewSong({ at: after(-24 * 60) })
    const list = await aSpotlight('Warm up', [[old, after(-20)]])
    const email = await followLists(await aFollower([]), ['spotlight', list])
    const other = await aFollower([])
    await send()
    const [mail] = emailsTo(email)
    expect(mail?.subject).toBe('New in the lists you follow on Night Shift')
    expect(mail?.text).toContain('- Warm up: 1 new song\n')
    expect(mail?.text).not.toContain('New songs')
    expect(emailsTo(other)).toEqual([])
  })
})

test('sends no email to a subscriber without new songs', async () => {
  await aNewSong({ genres: [techno] })
  const ofDeep = await aFollower([deep])
  const others = await aSubscriber()
  await send()
  expect([emailsTo(ofDeep).length, emailsTo(others).length]).toEqual([0, 1])
})

test('sends nothing to unconfirmed, unsubscribed and later confirmed addresses', async () => {
  await aNewSong()
  const [waiting, left] = [await aSubscriber(), await aSubscriber()]
  await pool.ctx.sql`
    update newsletter_subscriber set state = case email when ${left} then 'unsubscribed' else 'pending' end`
  const late = await aSubscriber(undefined, after(1))
  await send(after(24))
  expect([waiting, left, late].map((email) => emailsTo(email).length)).toEqual([0, 0, 0])
})

test('sends each week once, however often and in how many processes it runs, and the next week again', async () => {
  await aNewSong()
  const emails = [await aSubscriber(), await aSubscriber(), await aFollower([house])]
  await Promise.all([THURSDAY, THURSDAY, THURSDAY].map((now) => sendDigests(atTime(now))))
  await send(after(1))
  await send(after(70))
  expect(emails.map((email) => emailsTo(email).length)).toEqual([1, 1, 0])
  await aNewSong({ at: after(24 * 7 - 1) })
  await send(after(24 * 7))
  expect(emails.map((email) => emailsTo(email).length)).toEqual([2, 2, 0])
})

test('a process that was not running on Thursday catches up with the same days', async () => {
  await aNewSong({ title: 'Of the week' })
  await aNewSong({ title: 'Of Friday', at: after(20) })
  const email = await aSubscriber()
  await send(after(-1))
  expect(emailsTo(email)).toEqual([])
  await send(after(50))
  expect(titles(emailsTo(email)[0])).toEqual(['Of the week'])
})

test('continues a run that failed halfway, and sends nobody two emails', async () => {
  await aNewSong()
  for (let i = 0; i < 130; i += 1) await aSubscriber()
  const ctx = atTime(THURSDAY)
  let startedCount = 0
  const failing = new Proxy(ctx.sql, {
    get: (target, name) => {
      if (name !== 'begin') return Reflect.get(target, name)
      return (work: never) => (++startedCount === 2 ? Promise.reject(new Error('away')) : target.begin(work))
    },
  })
  await expect(sendDigests({ ...ctx, sql: failing })).rejects.toThrow('away')
  const count = async () => (await pool.ctx.sql`select to_address from outgoing_mail`).map((row) => row.to_address)
  expect(await count()).toHaveLength(100)
  await sendDigests(ctx)
  expect(new Set(await count()).size).toBe(130)
  expect(await count()).toHaveLength(130)
})

test('without a mail server nothing is queued, so that no old digests are sent later', async () => {
  await aNewSong()
  const email = await aSubscriber()
  await sendDigests({ ...atTime(THURSDAY), config: { ...pool.ctx.config, smtpUrl: undefined } })
  expect(await pool.ctx.sql`select 1 from outgoing_mail`).toHaveLength(0)
  await send(after(2))
  expect(emailsTo(email)).toHaveLength(1)
})

test('every digest has a one-click unsubscribe (RFC 8058)', async () => {
  await aNewSong()
  const email = await aSubscriber()
  await send()
  const [mail] = emailsTo(email)
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value
  const link = /^<(https:\/\/pool\.example(\/newsletter\/leave\/\S+))>$/.exec(header('list-unsubscribe') ?? '')
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(mail?.text).toContain(`- Unsubscribe\n  ${link?.[1]}`)
  const response = await pool.app.inject({
    method: 'POST',
    url: link?.[2] ?? '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  expect(response.statusCode).toBe(200)
  await aNewSong({ at: after(24 * 7 - 1) })
  await send(after(24 * 7))
  expect(emailsTo(email)).toHaveLength(1)
})

test('a title cannot add HTML to an email or lines to its list', async () => {
  await aNewSong({ title: '<img src=x onerror=alert(1)>\n- Kwame – Forged' })
  const email = await aSubscriber()
  await send()
  const [mail] = emailsTo(email)
  expect(mail?.html).not.toContain('<img')
  expect(mail?.text).not.toMatch(/^- Kwame – Forged/m)
})

test('deletes the records of sent digests after a while', async () => {
  const email = await aSubscriber()
  await pool.ctx.sql`
    insert into newsletter_digest (newsletter_subscriber_id, week, songs)
    select newsletter_subscriber_id, current_date - days, 1 from newsletter_subscriber, unnest(array[7, 61]) days
    where email = ${email}`
  await sweepDigests(pool.ctx.sql)
  expect(await pool.ctx.sql`select 1 from newsletter_digest`).toHaveLength(1)
})
