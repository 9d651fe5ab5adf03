import { joining, library, membership } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliverMail, extractToken, findMailTo, type MailServer, openMailServer } from '../../test/mail-server.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { submitApplication } from './applications.ts'
import { findCaller } from './caller.ts'
import { confirmAddress } from './confirmation.ts'
import { verifyPassword } from './password.ts'
import { signUp, sweepSignUps } from './sign-up.ts'

let pool: TestPool
let server: MailServer
beforeAll(async () => {
  server = await openMailServer()
  pool = await openTestPool({ config: { smtpUrl: server.url, publicUrl: 'https://pool.test' } })
})
beforeEach(async () => {
  await pool.ctx.sql`delete from rate_counter`
  server.mails.length = 0
})
afterAll(() => Promise.all([pool.close(), server.close()]))

const password = 'a good long password'
const from = (ip: string) => ({ ip, userAgent: 'test' })
const reference = { referred_by: 'DJ Friend' }

let n = 0
/** Signs someone up directly, because a network is limited per minute. */
async function aSignUp(email = `new${++n}@example.test`, { ip = '127.0.0.1', chosen: newPassword = password } = {}) {
  const token = await signUp(pool.ctx, { dj_name: 'DJ Kwame', email, password: newPassword }, from(ip))
  return { email, token }
}

async function mailedToken(email: string): Promise<string> {
  await deliverMail(pool.ctx)
  return extractToken(findMailTo(server, email).at(-1), 'confirm')
}

const confirm = (token: string, confirmedPassword = password) =>
  pool.ask(joining.confirmAddress, { token, password: confirmedPassword })
const apply = (token: string) => pool.ask(joining.submitApplication, reference, token)
const signIn = (email: string) => errorOf(pool.ask(membership.signIn, { email, password }))

test('from a visitor to a submitted application: sign up, apply, open the emailed link', async () => {
  const input = { dj_name: 'DJ Kwame', email: ' Kwame@Example.test ', password_hash: password }
  const { token } = await pool.ask(joining.signUp, input)
  expect(await apply(token)).toEqual({ email: 'kwame@example.test', address_confirmed: false })
  expect(await signIn('kwame@example.test')).toMatchObject({ code: 'email_not_verified' })
  const mailed = await mailedToken('kwame@example.test')
  expect(await confirm(mailed)).toEqual({
    email: 'kwame@example.test',
    kind: 'signed_up',
    application: 'pending',
    token: null,
  })
  expect(await signIn('kwame@example.test')).toMatchObject({ code: 'dj_application_pending' })
  const rows = await pool.ctx.sql`
    select state, referred_by, dj_name, group_id, payment_profile_status
    from dj_application join customer using (customer_id) where email = 'kwame@example.test'`
  expect(rows).toEqual([
    { state: 'pending', referred_by: 'DJ Friend', dj_name: 'DJ Kwame', group_id: 2, payment_profile_status: 'unpaid' },
  ])
  await deliverMail(pool.ctx)
  expect(findMailTo(server, 'kwame@example.test').map(({ subject }) => subject)).toEqual([
    'Confirm your email address for Dubplate',
    'Dubplate: we’ve received your DJ application',
  ])
})

test('can confirm first and apply afterwards, with the token of the sign-up or the new one', async () => {
  const early = await aSignUp()
  expect(await confirm(await mailedToken(early.email))).toMatchObject({ application: 'missing' })
  expect(await apply(early.token)).toEqual({ email: early.email, address_confirmed: true })
  const late = await aSignUp()
  const { token } = await confirm(await mailedToken(late.email))
  expect(await errorOf(pool.ask(library.getCrates, {}, token ?? ''))).toMatchObject({ code: 'forbidden' })
  expect(await apply(token ?? '')).toMatchObject({ address_confirmed: true })
  await deliverMail(pool.ctx)
  expect(findMailTo(server, late.email).at(-1)?.subject).toBe('Dubplate: we’ve received your DJ application')
})

test('nobody can apply twice, before or after confirming the address', async () => {
  const { email, token } = await aSignUp()
  await apply(token)
  expect(await errorOf(apply(token))).toMatchObject({ status: 409, code: 'already_applied' })
  await confirm(await mailedToken(email))
  expect(await errorOf(apply(token))).toMatchObject({ status: 409, code: 'already_applied' })
})

test('a declined applicant can only apply again through support', async () => {
  const { email, token } = await aSignUp()
  await apply(token)
  await confirm(await mailedToken(email))
  await pool.ctx.sql`update dj_application set state = 'declined'
    where customer_id = (select customer_id from customer where email = ${email})`
  expect(await errorOf(apply(token))).toMatchObject({ message: expect.stringContaining('Contact support') })
})

describe('the emailed link', () => {
  test('can be used once, and explains that afterwards', async () => {
    const { email } = await aSignUp()
    const token = await mailedToken(email)
    await confirm(token)
    expect(await errorOf(confirm(token))).toEqual({
      status: 410,
      code: 'link_expired',
      message: 'This link has already been used. Sign in.',
    })
  })

  test('opened in two tabs at once creates one account', async () => {
    const { email } = await aSignUp()
    const token = await mailedToken(email)
    const answers = await Promise.allSettled([confirm(token), confirm(token), confirm(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await pool.ctx.sql`select 1 from customer where email = ${email}`).toHaveLength(1)
  })

  test('opened while the application is submitted loses neither', async () => {
    const { email, token } = await aSignUp()
    const mailed = await mailedToken(email)
    const [confirmed] = await Promise.all([confirm(mailed), apply(token)])
    expect(confirmed.email).toBe(email)
    const rows = await pool.ctx
      .sql`select referred_by from dj_application join customer using (customer_id) where email = ${email}`
    expect(rows).toEqual([{ referred_by: 'DJ Friend' }])
  })

  test('opened during the application request leaves the application to the new customer', async () => {
    const { email, token } = await aSignUp()
    const caller = await findCaller(pool.ctx, token)
    await confirm(await mailedToken(email))
    const application = { ...reference, dj_website: '', comment: '', return_to: '' }
    expect(await submitApplication(pool.ctx, caller, application)).toEqual({ email, address_confirmed: true })
    expect(await signIn(email)).toMatchObject({ code: 'dj_application_pending' })
  })

  test('is invalid after its expiry, or when it is made up', async () => {
    const { email } = await aSignUp()
    const token = await mailedToken(email)
    await pool.ctx.sql`update mailed_link set expires_at = now() - interval '1 second' where email = ${email}`
    expect(await errorOf(confirm(token))).toMatchObject({ status: 410, code: 'link_expired' })
    expect(await errorOf(confirm('no-such-token'))).toMatchObject({ status: 410, code: 'link_expired' })
  })

  test('ends when a newer one is sent', async () => {
    const { email, token } = await aSignUp()
    const older = await mailedToken(email)
    expect(await pool.ask(joining.sendConfirmation, {}, token)).toEqual({ email })
    const newer = await mailedToken(email)
    expect(await errorOf(confirm(older))).toMatchObject({ code: 'link_expired' })
    expect(await confirm(newer)).toMatchObject({ kind: 'signed_up' })
  })

  test('is refused if an account with the address has been created since, and does not change that account', async () => {
    const { email } = await aSignUp()
    const token = await mailedToken(email)
    const { customer_id } = await aMember(pool.ctx, { email })
    expect(await errorOf(confirm(token))).toMatchObject({ status: 409, code: 'email_taken' })
    expect(
      await pool.ctx.sql`select customer_id, dj_name <> 'DJ Kwame' as kept from customer where email = ${email}`,
    ).toEqual([{ customer_id, kept: true }])
  })

  test('for a password reset does not confirm an address', async () => {
    const { email } = await aMember(pool.ctx)
    await pool.ask(joining.forgetPassword, { email })
    await deliverMail(pool.ctx)
    const token = extractToken(findMailTo(server, email)[0], 'reset-password')
    expect(await errorOf(confirm(token))).toMatchObject({ code: 'link_expired' })
    expect(await pool.ctx.sql`select 1 from mailed_link where used_at is not null and email = ${email}`).toEqual([])
  })
})

describe('the password of a sign-up', () => {
  const another = 'what the stranger chose'
  const customersOf = (email: string) => pool.ctx.sql`select 1 from customer where email = ${email}`

  test('is required by its emailed link, which stays valid', async () => {
    const { email } = await aSignUp()
    const token = await mailedToken(email)
    for (const input of [{ token }, { token, password: '' }]) {
      const response = await pool.request(joining.confirmAddress, input)
      expect(response.statusCode).toBe(422)
      expect(response.json()).toMatchObject({ code: 'password_required', data: { email } })
    }
    expect(await customersOf(email)).toEqual([])
    expect(await confirm(token)).toMatchObject({ email, kind: 'signed_up' })
  })

  test('is unknown to the owner of an address a stranger signed up with, so no account is created', async () => {
    const { email } = await aSignUp('victim@example.test', { chosen: another })
    const strangers = await mailedToken(email)
    await aSignUp(email)
    const own = await mailedToken(email)
    const response = await pool.request(joining.confirmAddress, { token: strangers, password })
    const sentence = 'Incorrect password. If you signed up more than once, use the link in the most recent email.'
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({
      code: 'incorrect_password',
      message: sentence,
      fields: { password: sentence },
    })
    expect(await customersOf(email)).toEqual([])
    await confirm(own)
    const [customer] = await pool.ctx.sql<{ password_hash: string }[]>`
      select password_hash from customer where email = ${email}`
    expect(await verifyPassword(password, customer?.password_hash)).toBe(true)
    expect(await errorOf(confirm(strangers, another))).toMatchObject({ status: 409, code: 'email_taken' })
  })

  test('can be tried ten times with one link', async () => {
    const { email } = await aSignUp()
    const token = await mailedToken(email)
    const ctx = { ...pool.ctx, ownData: [] }
    const confirmWith = (confirmedPassword: string) =>
      confirmAddress(ctx, { token, password: confirmedPassword }, from('127.0.0.1'))
    for (let n = 0; n < 10; n++)
      await expect(confirmWith(another)).rejects.toMatchObject({ code: 'incorrect_password' })
    const rejected = { code: 'rate_limited', retryAfter_seconds: 24 * 3600 }
    await expect(confirmWith(password)).rejects.toMatchObject(rejected)
    await expect(confirmAddress(ctx, { token }, from('127.0.0.1'))).rejects.toMatchObject({
      code: 'password_required',
    })
  })
})

test('an address with an account gets an email that says so, and no link that creates a second one', async () => {
  const { email } = await aMember(pool.ctx)
  await aSignUp(email)
  await deliverMail(pool.ctx)
  const mails = findMailTo(server, email)
  expect(mails.map(({ subject }) => subject)).toEqual(['You already have an account at Dubplate'])
  expect(mails[0]?.text).not.toContain('/confirm')
  expect(await pool.ctx.sql`select 1 from mailed_link where email = ${email}`).toEqual([])
})

test('sends three emails an hour to an address from one network; another network has its own limit', async () => {
  const { email } = await aSignUp()
  for (let n = 0; n < 4; n++) await aSignUp(email)
  await deliverMail(pool.ctx)
  expect(findMailTo(server, email)).toHaveLength(3)
  await aSignUp(email, { ip: '2001:db8::1' })
  await deliverMail(pool.ctx)
  expect(findMailTo(server, email)).toHaveLength(4)
})

test('the email can be requested three times an hour, and is not sent to a confirmed address', async () => {
  const { email, token } = await aSignUp()
  const again = () => pool.ask(joining.sendConfirmation, {}, token)
  for (let n = 0; n < 3; n++) await again()
  expect(await errorOf(again())).toMatchObject({ status: 429, code: 'rate_limited' })
  await confirm(await mailedToken(email))
  server.mails.length = 0
  expect(await again()).toEqual({ email })
  await deliverMail(pool.ctx)
  expect(server.mails).toEqual([])
})

test('several workers send one email per request', async () => {
  const { email } = await aSignUp()
  await Promise.all([deliverMail(pool.ctx), deliverMail(pool.ctx), deliverMail(pool.ctx)])
  expect(findMailTo(server, email)).toHaveLength(1)
})

test('deletes unconfirmed sign-ups with their sessions and requests', async () => {
  const { sql } = pool.ctx
  const { email, token } = await aSignUp()
  await sql`update sign_up set expires_at = now() - interval '1 second' where email = ${email}`
  await sweepSignUps(sql)
  expect(await sql`select 1 from mail_request where email = ${email}`).toEqual([])
  expect(await errorOf(apply(token))).toMatchObject({ code: 'session_expired' })
})

test.each([
  [
    {},
    {
      dj_name: 'DJ Name cannot be blank!',
      email: 'Email cannot be blank!',
      password_hash: 'Password cannot be blank!',
    },
  ],
  [
    { dj_name: ' ', email: ' ', password_hash: '' },
    {
      dj_name: 'DJ Name cannot be blank!',
      email: 'Email cannot be blank!',
      password_hash: 'Password cannot be blank!',
    },
  ],
  [
    { dj_name: 'DJ', email: 'nobody', password_hash: 'short' },
    { email: 'Invalid Email', password_hash: 'Use at least 10 characters.' },
  ],
])('an incomplete sign-up names the missing fields: %j', async (input, fields) => {
  const response = await pool.request(joining.signUp, input)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ data: null, code: 'invalid_request', fields, errors: Object.values(fields) })
})

test('refuses an easily guessed password with a list of one error', async () => {
  const input = { dj_name: 'DJ', email: 'weak@example.test', password_hash: 'Password2024!' }
  const response = await pool.request(joining.signUp, input)
  expect(response.statusCode).toBe(422)
  const { code, errors, fields } = response.json()
  expect({ code, errors }).toEqual({ code: 'weak_password', errors: [fields.password_hash] })
  expect(await pool.ctx.sql`select 1 from sign_up where email = 'weak@example.test'`).toEqual([])
})

test('reports an easily guessed password together with other errors', async () => {
  const input = { dj_name: '', email: 'weak@example.test', password_hash: 'Password2024!' }
  const { fields } = (await pool.request(joining.signUp, input)).json()
  expect(Object.keys(fields)).toEqual(['dj_name', 'password_hash'])
  const reset = { email: 'nobody', token: 'any', password: 'Password2024!', confirm_password: 'other' }
  expect(Object.keys((await pool.request(joining.resetPassword, reset)).json().fields)).toEqual([
    'email',
    'confirm_password',
    'password',
  ])
})

test('an application needs a member reference or a link', async () => {
  const { token } = await aSignUp()
  const response = await pool.request(joining.submitApplication, { referred_by: ' ', comment: 'please' }, token)
  expect(response.json()).toMatchObject({
    code: 'invalid_request',
    errors: ['Please select one option from Member Reference or Social link!'],
  })
})
