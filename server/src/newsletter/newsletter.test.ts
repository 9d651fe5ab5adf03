import { account, joining, newsletter } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverMail, extractToken, findMailTo, type MailServer, openMailServer } from '../../test/mail-server.ts'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { recordStatements } from '../../test/statement-recorder.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import { makeApp } from '../app.ts'
import { sweepUnconfirmed, unsubscribe } from './subscribers.ts'
import { createConfirmToken, createUnsubscribeToken } from './tokens.ts'

let pool: TestPool
let post: MailServer
beforeAll(async () => {
  post = await openMailServer()
  pool = await openTestPool({
    config: { smtpUrl: post.url, publicUrl: 'https://pool.example' },
    usesUniqueAddresses: true,
  })
})
afterAll(async () => {
  await pool.close()
  await post.close()
})
beforeEach(async () => {
  await pool.ctx.sql`delete from rate_counter`
})

let n = 0
const anAddress = () => `reader${++n}@example.test`
const subscribe = (email: string) => pool.ask(newsletter.subscribe, { email })
const confirm = (token: string) => pool.ask(newsletter.confirmSubscription, { token })
const leave = (token: string) => pool.ask(newsletter.unsubscribe, { token })
const rejoin = (token: string) => pool.ask(newsletter.resubscribe, { token })

async function linkTo(address: string): Promise<string> {
  await deliverMail(pool.ctx)
  const text = findMailTo(post, address).at(-1)?.text ?? ''
  return /^https:\/\/pool\.example\/newsletter\/confirm\/(\S+)$/m.exec(text)?.[1] ?? ''
}
const findState = async (email: string) => {
  const [row] = await pool.ctx.sql<{ state: string; newsletter_subscriber_id: number }[]>`
    select state, newsletter_subscriber_id from newsletter_subscriber where lower(email) = lower(${email})`
  return row
}
async function aSubscriber(email = anAddress()) {
  const [row] = await pool.ctx.sql<{ id: number }[]>`
    insert into newsletter_subscriber (email, state, confirmed_at) values (${email}, 'subscribed', now() - interval '1 month')
    returning newsletter_subscriber_id as id`
  const id = row?.id ?? 0
  return { email, id, token: createUnsubscribeToken(pool.ctx, id) }
}

describe('subscribing', () => {
  test('sends nothing before the emailed link is opened', async () => {
    const email = anAddress()
    await subscribe(` ${email.toUpperCase()} `)
    expect((await findState(email))?.state).toBe('pending')
    const token = await linkTo(email)
    expect(await confirm(token)).toEqual({ email })
    expect((await findState(email))?.state).toBe('subscribed')
    expect(await confirm(token)).toEqual({ email })
  })

  test('the link is valid for seven days, and only for this', async () => {
    const email = anAddress()
    await subscribe(email)
    const { newsletter_subscriber_id: id = 0 } = (await findState(email)) ?? {}
    const atTime = (days: number) => ({ ...pool.ctx, now: () => new Date(Date.now() - days * 86_400_000) })
    expect(await errorOf(confirm(createConfirmToken(atTime(7.01), id)))).toMatchObject({
      code: 'link_expired',
      status: 410,
    })
    expect(await errorOf(confirm(createUnsubscribeToken(pool.ctx, id)))).toMatchObject({
      code: 'invalid_link',
      status: 403,
    })
    const good = createConfirmToken(atTime(6.9), id)
    expect(await errorOf(confirm(good.replace(/^\d+/, String(id + 1))))).toMatchObject({ code: 'invalid_link' })
    expect(await errorOf(leave(good))).toMatchObject({ code: 'invalid_link' })
    expect((await findState(email))?.state).toBe('pending')
    expect(await confirm(good)).toEqual({ email })
  })

  test('opening the link sends one welcome email with an unsubscribe link', async () => {
    const email = anAddress()
    await subscribe(email)
    await deliverMail(pool.ctx)
    const token = await linkTo(email)
    await confirm(token)
    await confirm(token)
    await deliverMail(pool.ctx)
    const welcomes = findMailTo(post, email).filter(({ subject }) => subject?.startsWith('You’re subscribed to the'))
    expect(welcomes).toHaveLength(1)
    expect(welcomes[0]?.headers).toContainEqual({
      key: 'list-unsubscribe-post',
      originalKey: 'List-Unsubscribe-Post',
      value: 'List-Unsubscribe=One-Click',
    })
    await leave(/\/newsletter\/leave\/(\S+)/.exec(welcomes[0]?.text ?? '')?.[1] ?? '')
    expect((await findState(email))?.state).toBe('unsubscribed')
  })

  test('explains that the address of a link is no longer stored', async () => {
    expect(await errorOf(confirm(createConfirmToken(pool.ctx, 999_999)))).toMatchObject({ code: 'invalid_link' })
  })

  test('a request for a subscribed or unsubscribed address changes nothing', async () => {
    const { email, token } = await aSubscriber()
    await subscribe(email)
    expect((await findState(email))?.state).toBe('subscribed')
    await leave(token)
    await subscribe(email)
    expect((await findState(email))?.state).toBe('unsubscribed')
    expect(await confirm(await linkTo(email))).toEqual({ email })
    expect((await findState(email))?.state).toBe('subscribed')
  })

  test('sends at most three emails a day to one address, regardless of who requests them', async () => {
    const email = anAddress()
    for (let i = 0; i < 5; i += 1) expect(await subscribe(email)).toEqual({})
    await deliverMail(pool.ctx)
    expect(findMailTo(post, email)).toHaveLength(3)
    await pool.ctx.sql`update rate_counter set window_started_at = window_started_at - interval '25 hours'`
    await subscribe(email)
    await deliverMail(pool.ctx)
    expect(findMailTo(post, email)).toHaveLength(4)
  })

  test('accepts ten requests an hour from one network', async () => {
    const ask = (address: string) =>
      pool.app.inject({
        method: 'POST',
        url: `/api/${newsletter.subscribe.path}`,
        payload: { email: address },
        // One household has the same /64.
        remoteAddress: `2001:db8:1:2::${n.toString(16)}`,
      })
    for (let i = 0; i < 10; i += 1) expect((await ask(anAddress())).statusCode).toBe(200)
    const last = anAddress()
    const eleventh = await ask(last)
    expect([eleventh.statusCode, eleventh.json().code]).toEqual([429, 'rate_limited'])
    expect(await findState(last)).toBeUndefined()
  })

  test.each(['', 'nobody', 'a@b', 'a b@example.test', '"x"@example.test', `${'a'.repeat(250)}@example.test`])(
    '%s is not a valid address',
    async (email) => {
      expect(await errorOf(subscribe(email))).toMatchObject({ code: 'invalid_request', status: 400 })
    },
  )

  test('deletes a subscription whose link is never opened', async () => {
    const [old, fresh] = [anAddress(), anAddress()]
    await subscribe(old)
    await subscribe(fresh)
    await pool.ctx.sql`
      update newsletter_subscriber set requested_at = now() - interval '9 days' where email = ${old}`
    const { email: cache } = await aSubscriber()
    await pool.ctx.sql`update newsletter_subscriber set requested_at = now() - interval '9 days' where email = ${cache}`
    await sweepUnconfirmed(pool.ctx.sql)
    expect([await findState(old), (await findState(fresh))?.state, (await findState(cache))?.state]).toEqual([
      ...[undefined, 'pending', 'subscribed'],
    ])
  })
})

test('neither a response, its duration nor an email reveals who is subscribed, unsubscribed or a member', async () => {
  const { email: member } = await aMember(pool.ctx)
  const { email: subscribed } = await aSubscriber()
  const { email: unsubscribed, token } = await aSubscriber()
  await leave(token)
  const statements: string[] = []
  const app = await makeApp({ ...pool.ctx, sql: recordStatements(pool.ctx.sql, statements) })
  const answers = []
  for (const [i, email] of [anAddress(), member, subscribed, unsubscribed].entries()) {
    const from = { url: `/api/${newsletter.subscribe.path}`, payload: { email }, remoteAddress: `10.7.0.${i}` }
    const { statusCode, body, headers } = await app.inject({ method: 'POST', ...from })
    const { date: _, 'x-ratelimit-reset': __, ...others } = headers
    answers.push({ statusCode, body, others, statements: statements.splice(0) })
  }
  await app.close()
  expect(answers[0]).toMatchObject({ statusCode: 200, body: '{"data":{}}' })
  expect(answers[0]?.statements.length).toBeGreaterThan(2)
  for (const answer of answers) expect(answer).toEqual(answers[0])
  await deliverMail(pool.ctx)
  const emails = [member, subscribed, unsubscribed].map((email) => findMailTo(post, email).at(-1))
  expect(new Set(emails.map((sentMail) => sentMail?.text?.replace(/confirm\/\S+/, ''))).size).toBe(1)
})

describe('unsubscribing', () => {
  test('the link in every newsletter unsubscribes, any number of times, and can undo it', async () => {
    const { email, token } = await aSubscriber()
    expect(await leave(token)).toEqual({ email })
    expect(await leave(token)).toEqual({ email })
    expect((await findState(email))?.state).toBe('unsubscribed')
    expect(await rejoin(token)).toEqual({ email })
    expect((await findState(email))?.state).toBe('subscribed')
  })

  test('the link never expires, and is only valid as a whole', async () => {
    const { id, token } = await aSubscriber()
    const farFutureContext = { ...pool.ctx, now: () => new Date(Date.now() + 20 * 365 * 86_400_000) }
    await unsubscribe(farFutureContext, token)
    for (const bad of ['', 'x', token.slice(0, -1), token.replace(/^\d+/, String(id + 1))]) {
      for (const open of [leave, rejoin])
        expect(await errorOf(open(bad))).toMatchObject({ code: 'invalid_link', status: 403 })
    }
  })

  const postOneClick = (token: string, headers: Record<string, string> = {}, payload = 'List-Unsubscribe=One-Click') =>
    pool.app.inject({
      method: 'POST',
      url: `/newsletter/leave/${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload,
    })

  test('a mail program unsubscribes with one request, without a session', async () => {
    const { email, token } = await aSubscriber()
    expect((await postOneClick(token)).statusCode).toBe(200)
    expect((await findState(email))?.state).toBe('unsubscribed')
    expect((await postOneClick(token)).statusCode).toBe(200)
  })

  test('a mail program may send its form in either format (RFC 8058, 3.1)', async () => {
    const { email, token } = await aSubscriber()
    const form = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    expect((await postOneClick(token, { 'content-type': 'multipart/form-data; boundary=x' }, form)).statusCode).toBe(
      200,
    )
    expect((await findState(email))?.state).toBe('unsubscribed')
  })

  test('neither a request from another site nor an incomplete link unsubscribes anyone', async () => {
    const { email, token } = await aSubscriber()
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await postOneClick(token, headers as never)).statusCode).toBe(403)
    expect((await postOneClick(`${token}x`)).statusCode).toBe(403)
    expect((await postOneClick(token, {}, 'x'.repeat(5000))).statusCode).toBe(413)
    expect((await findState(email))?.state).toBe('subscribed')
  })

  test('fetching the URL, as security scanners do, does not unsubscribe', async () => {
    const { email, token } = await aSubscriber()
    await pool.app.inject({ url: `/newsletter/leave/${token}` })
    expect((await findState(email))?.state).toBe('subscribed')
  })
})

describe('members', () => {
  const getMailing = (token: string) => pool.ask(newsletter.getMailing, {}, token)
  const setSubscribed = async (token: string, subscribed: boolean) =>
    (await pool.ask(newsletter.saveMailing, { subscribed }, token)).state
  const follow = async (token: string, genre_id: number, overrides = true) =>
    (await pool.ask(newsletter.followGenre, { genre_id, follow: overrides }, token)).followed

  test('choose for themselves without an email, because their address is confirmed', async () => {
    const { token, email } = await aMember(pool.ctx, { email: `Mixed.Case${++n}@Example.test` })
    expect(await getMailing(token)).toEqual({ state: 'none', followed: [], followed_names: [], followed_lists: [] })
    expect(await setSubscribed(token, true)).toBe('subscribed')
    expect(await setSubscribed(token, true)).toBe('subscribed')
    await deliverMail(pool.ctx)
    expect(findMailTo(post, email)).toEqual([])
    expect(await setSubscribed(token, false)).toBe('none')
    expect(await setSubscribed(token, false)).toBe('none')
    expect(await getMailing(token)).toMatchObject({ state: 'none' })
  })

  test('see the state of their address when it changed elsewhere', async () => {
    const { token, email } = await aMember(pool.ctx)
    await subscribe(email)
    expect((await getMailing(token)).state).toBe('pending')
    await confirm(await linkTo(email))
    expect((await getMailing(token)).state).toBe('subscribed')
    const { newsletter_subscriber_id: id = 0 } = (await findState(email)) ?? {}
    await leave(createUnsubscribeToken(pool.ctx, id))
    expect((await getMailing(token)).state).toBe('none')
  })

  test('follow genres, each once, and unfollow them', async () => {
    const { token } = await aMember(pool.ctx)
    const other = await aMember(pool.ctx)
    const [techno, house] = [await aGenre(pool.ctx, 'techno'), await aGenre(pool.ctx, 'House music')]
    await follow(token, techno)
    await follow(token, techno)
    const both = [
      { genre_id: house, name: 'House music' },
      { genre_id: techno, name: 'techno' },
    ]
    expect(await follow(token, house)).toEqual(both)
    expect((await getMailing(token)).followed).toEqual(both)
    expect((await getMailing(other.token)).followed).toEqual([])
    expect(await follow(token, house, false)).toEqual(both.slice(1))
    expect(await errorOf(follow(token, 999_999))).toMatchObject({ code: 'unknown_genre', status: 404 })
  })

  test('follow artists, joint artists and labels, each once however they are written, and unfollow them', async () => {
    const { token } = await aMember(pool.ctx)
    await aSong(pool.ctx, { artist: 'Mara Voss feat. Halo Theory', label: 'Kvadrat' })
    const followName = async (kind: 'artist' | 'label', name: string, isFollowed = true) =>
      (await pool.ask(newsletter.followName, { kind, name, follow: isFollowed }, token)).followed_names
    await followName('artist', 'MARA VOSS')
    await followName('artist', 'mara voss')
    await followName('artist', 'Halo Theory & Mara Voss')
    const all = [
      { kind: 'artist', name: 'Halo Theory & Mara Voss' },
      { kind: 'label', name: 'Kvadrat' },
      { kind: 'artist', name: 'Mara Voss' },
    ]
    expect(await followName('label', 'kvadrat')).toEqual(all)
    expect((await getMailing(token)).followed_names).toEqual(all)
    await followName('artist', 'Mara Voss feat. Halo Theory', false)
    expect(await followName('label', 'KVADRAT', false)).toEqual(all.slice(2))
    expect(await errorOf(followName('artist', 'Nobody'))).toMatchObject({ code: 'unknown_artist', status: 404 })
    expect(await errorOf(followName('label', 'Mara Voss'))).toMatchObject({ code: 'unknown_label', status: 404 })
  })

  const password = 'a good long password'
  const moveTo = async (member: { token: string }, email: string) => {
    const sender = { street: '1 High Street', city: 'Accra', postcode: '00233', country_id: 'GH', region_id: 'GH-AA' }
    const person = { firstname: 'Kwame', lastname: 'Mensah', telephone: '', ...sender }
    await pool.ask(account.updateProfile, { ...person, email, password }, member.token)
    await deliverMail(pool.ctx)
    const token = extractToken(findMailTo(post, email).at(-1), 'confirm')
    await pool.ask(joining.confirmAddress, { token }, member.token)
  }

  test('get it at their new address, and no longer at the old one', async () => {
    const [member, to] = [await aMember(pool.ctx, { password }), anAddress()]
    await setSubscribed(member.token, true)
    await moveTo(member, to)
    expect((await getMailing(member.token)).state).toBe('subscribed')
    expect(await findState(member.email)).toBeUndefined()
    await pool.ask(account.deleteAccount, { password }, member.token)
    expect(await findState(to)).toBeUndefined()
  })

  test.each([
    ['pending', 'subscribed'],
    ['unsubscribed', 'none'],
    ['subscribed', 'subscribed'],
  ])('whose new address is known as %s stay with one address, as %s', async (known, state) => {
    const [member, to] = [await aMember(pool.ctx, { password }), anAddress()]
    await setSubscribed(member.token, true)
    await pool.ctx.sql`insert into newsletter_subscriber (email, state) values (${to}, ${known})`
    await moveTo(member, to)
    expect((await getMailing(member.token)).state).toBe(state)
    expect(await findState(member.email)).toBeUndefined()
  })

  test('who turn it on while their account is being deleted get none', async () => {
    const { token, email, customer_id } = await aMember(pool.ctx)
    const { sql } = pool.ctx
    const deleting = await sql.reserve()
    await deleting`begin`
    await deleting`
      update customer set status = 'deleted', deleted_at = now(), email = 'gone@deleted.invalid'
      where customer_id = ${customer_id}`
    const chosen = setSubscribed(token, true)
    await Promise.race([chosen, waitForBlocked(sql, 1)])
    await deleting`commit`
    deleting.release()
    expect(await chosen).toBe('none')
    expect(await findState(email)).toBeUndefined()
  })

  test('delete their subscription, followed genres and emails with their account', async () => {
    const password = 'a good long password'
    const { token, email, customer_id } = await aMember(pool.ctx, { password, email: `Gone${++n}@Example.test` })
    await setSubscribed(token, true)
    await follow(token, await aGenre(pool.ctx, `Left ${n}`))
    await subscribe(email)
    await pool.ask(account.deleteAccount, { password }, token)
    expect(await findState(email)).toBeUndefined()
    expect(await pool.ctx.sql`select 1 from followed_genre where customer_id = ${customer_id}`).toHaveLength(0)
    expect(await pool.ctx.sql`select 1 from outgoing_mail where lower(to_address) = lower(${email})`).toHaveLength(0)
  })
})
