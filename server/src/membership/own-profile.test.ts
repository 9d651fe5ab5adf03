import { account, joining, membership } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliverMail, extractToken, findMailTo, type MailServer, openMailServer } from '../../test/mail-server.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { findCaller } from './caller.ts'
import { updateProfile } from './own-profile.ts'
import { openSession } from './session.ts'

let pool: TestPool
let server: MailServer
beforeAll(async () => {
  server = await openMailServer()
  pool = await openTestPool({ config: { smtpUrl: server.url } })
})
beforeEach(async () => {
  await pool.ctx.sql`delete from rate_counter`
  server.mails.length = 0
})
afterAll(() => Promise.all([pool.close(), server.close()]))

const person = {
  firstname: 'Kwame',
  lastname: 'Mensah',
  telephone: '',
  street: '1 High Street',
  city: 'Accra',
  postcode: '00233',
  country_id: 'GH',
  region_id: 'GH-AA',
}
const password = 'a good long password'
const save = (
  member: { email: string; token: string },
  changed: Partial<typeof person & { email: string; dj_name: string; password: string }> = {},
) => pool.ask(account.updateProfile, { ...person, email: member.email, ...changed }, member.token)
const saveAddress = (member: { email: string; token: string }, email: string) => save(member, { email, password })
const confirm = (token: string, opener?: { token: string }) =>
  pool.ask(joining.confirmAddress, { token }, opener?.token)
const getProfile = async ({ token }: { token: string }) => (await pool.ask(membership.getProfile, {}, token)).profile
const otherSession = async ({ customer_id }: { customer_id: number }) => ({
  token: await openSession(pool.ctx.sql, customer_id, 'member', { ip: '10.0.0.9', userAgent: '' }),
})

test('saves and returns a profile', async () => {
  const member = await aMember(pool.ctx)
  const { profile } = await save(member, { telephone: ' 0302 ', dj_name: 'DJ K' })
  expect(profile).toMatchObject({
    ...person,
    telephone: '0302',
    dj_name: 'DJ K',
    email: member.email,
    pending_email: null,
  })
  expect((await pool.ask(membership.getProfile, {}, member.token)).profile).toEqual({
    ...profile,
    media_key: expect.any(String),
  })
  expect((await save(member)).profile.dj_name).toBe('DJ K')
})

test('reports missing fields with the messages of the form', async () => {
  const member = await aMember(pool.ctx)
  const blank = { firstname: ' ', lastname: '', email: '', street: '', city: '', postcode: '', country_id: '' }
  const fields = {
    firstname: 'First Name cannot be blank!',
    lastname: 'Last Name cannot be blank!',
    email: 'Email cannot be blank!',
    street: 'Address cannot be blank!',
    city: 'City cannot be blank!',
    postcode: 'Zip Code cannot be blank!',
    country_id: 'Country cannot be blank!',
    region_id: 'State cannot be blank!',
  }
  for (const submitted of [blank, {}]) {
    const response = await pool.request(account.updateProfile, submitted, member.token)
    expect(response.statusCode).toBe(400)
    expect(response.json().fields).toEqual(fields)
  }
})

test.each([
  [{ region_id: '' }, 400, 'invalid_request', 'State cannot be blank!'],
  [{ region_id: 'US-CA' }, 422, 'unknown_region', 'Choose a state in the selected country.'],
  [{ country_id: 'XX' }, 422, 'unknown_country', 'Choose a country from the list.'],
  [{ country_id: 'GI', region_id: 'GH-AA' }, 422, 'unknown_region', 'Choose a state in the selected country.'],
  [{ email: 'nobody' }, 422, 'invalid_email', 'Invalid Email'],
])('refuses %j with an error for its field', async (changed, status, code, message) => {
  const member = await aMember(pool.ctx)
  const response = await pool.request(
    account.updateProfile,
    { ...person, email: member.email, ...changed },
    member.token,
  )
  expect(response.statusCode).toBe(status)
  const [field] = Object.keys(changed).slice(-1)
  expect(response.json()).toMatchObject({ code, message, fields: { [field as string]: message } })
})

test('reports all errors at once, including the state, which only the server knows is required', async () => {
  const member = await aMember(pool.ctx, { password })
  const fieldsOf = async (changed: object) =>
    (await pool.request(account.updateProfile, { ...person, email: member.email, ...changed }, member.token)).json()
  expect(await fieldsOf({ firstname: '', region_id: '' })).toMatchObject({
    code: 'invalid_request',
    errors: ['First Name cannot be blank!', 'State cannot be blank!'],
    fields: { firstname: 'First Name cannot be blank!', region_id: 'State cannot be blank!' },
  })
  expect((await fieldsOf({ city: '', country_id: 'XX', region_id: '', email: 'nobody' })).fields).toEqual({
    city: 'City cannot be blank!',
    email: 'Invalid Email',
    country_id: 'Choose a country from the list.',
    region_id: 'State cannot be blank!',
    password: 'Enter your password.',
  })
  // Also when the input is valid for the contract, including the password for a new address.
  expect((await fieldsOf({ region_id: '', email: 'new@example.test', password: 'wrong' })).fields).toEqual({
    region_id: 'State cannot be blank!',
    password: 'Incorrect password.',
  })
  // A country without regions accepts none.
  expect((await fieldsOf({ firstname: '', country_id: 'GI', region_id: '' })).errors).toEqual([
    'First Name cannot be blank!',
  ])
})

test('a new email address needs the password even while other fields are blank; an incorrect one counts, a missing one does not', async () => {
  const member = await aMember(pool.ctx, { password })
  const fieldsOf = async (submitted: object) =>
    (
      await pool.request(
        account.updateProfile,
        { ...person, firstname: '', email: 'new@example.test', ...submitted },
        member.token,
      )
    ).json().fields
  const other = { firstname: 'First Name cannot be blank!' }
  for (let n = 0; n < 11; n++) expect(await fieldsOf({})).toEqual({ ...other, password: 'Enter your password.' })
  for (let n = 0; n < 10; n++)
    expect(await fieldsOf({ password: 'wrong' })).toEqual({ ...other, password: 'Incorrect password.' })
  const locked = { ...other, password: 'Too many incorrect passwords. Try again in 15 minutes.' }
  expect(await fieldsOf({ password })).toEqual(locked)
  // The current address requires no password.
  expect(await fieldsOf({ email: member.email })).toEqual(other)
})

test('a country without regions requires none', async () => {
  const member = await aMember(pool.ctx)
  expect((await save(member, { country_id: 'GI', region_id: '' })).profile).toMatchObject({
    country_id: 'GI',
    region_id: '',
  })
})

test('uses a new address once its link was opened, and notifies the old one before and after', async () => {
  const member = await aMember(pool.ctx, { password })
  const { profile } = await saveAddress(member, 'New.Home@example.test')
  expect(profile).toMatchObject({ email: member.email, pending_email: 'new.home@example.test' })
  await deliverMail(pool.ctx)
  const token = extractToken(findMailTo(server, 'new.home@example.test')[0], 'confirm')
  expect(await confirm(token, member)).toEqual({
    email: 'new.home@example.test',
    kind: 'changed',
    application: null,
    token: null,
  })
  expect(await getProfile(member)).toMatchObject({ email: 'new.home@example.test', pending_email: null })
  expect(await errorOf(confirm(token))).toMatchObject({ message: 'This link has already been used. Sign in.' })
  await deliverMail(pool.ctx)
  const emails = findMailTo(server, member.email)
  expect(emails.map(({ subject }) => subject)).toEqual([
    'Your Dubplate email address is about to change',
    'Your Dubplate email address was changed',
  ])
  for (const { text } of emails) expect(text).toContain('new.home@example.test')
})

test('a new address ends every session except the one that opened its link', async () => {
  const member = await aMember(pool.ctx, { password })
  const other = await otherSession(member)
  const change = async (email: string, opener?: { token: string }) => {
    await saveAddress({ ...member, email: (await getProfile(member)).email }, email)
    await deliverMail(pool.ctx)
    await confirm(extractToken(findMailTo(server, email)[0], 'confirm'), opener)
  }
  await change('kept@example.test', member)
  expect(await errorOf(getProfile(other))).toMatchObject({ code: 'session_expired' })
  expect((await getProfile(member)).email).toBe('kept@example.test')
  await change('ended@example.test')
  expect(await errorOf(getProfile(member))).toMatchObject({ code: 'session_expired' })
})

test('a new address requires the password and nothing is saved without it; a member without one needs none', async () => {
  const member = await aMember(pool.ctx, { password })
  for (const [submitted, sentence] of [
    [{}, 'Enter your password.'],
    [{ password: 'wrong' }, 'Incorrect password.'],
  ] as const) {
    const changed = { ...person, email: 'thief@example.test', ...submitted }
    const response = await pool.request(account.updateProfile, changed, member.token)
    expect(response.statusCode).toBe(422)
    expect(response.json()).toMatchObject({ code: 'incorrect_password', fields: { password: sentence } })
  }
  expect(await getProfile(member)).toMatchObject({ firstname: '', pending_email: null })
  await pool.ctx.sql`update customer set password_hash = '!' where customer_id = ${member.customer_id}`
  expect((await save(member, { email: 'mine@example.test' })).profile.pending_email).toBe('mine@example.test')
})

test('a pending change survives other changes, and can be cancelled by the member', async () => {
  const member = await aMember(pool.ctx, { password })
  await saveAddress(member, 'slip@example.test')
  expect((await save(member)).profile).toMatchObject({ email: member.email, pending_email: 'slip@example.test' })
  const { profile } = await pool.ask(account.cancelEmailChange, {}, member.token)
  expect(profile).toMatchObject({ email: member.email, pending_email: null })
  await deliverMail(pool.ctx)
  const token = extractToken(findMailTo(server, 'slip@example.test')[0], 'confirm')
  expect(await errorOf(confirm(token))).toMatchObject({ code: 'link_expired' })
})

test('returns the same for an address that belongs to someone else, and emails its owner', async () => {
  const [member, owner] = [await aMember(pool.ctx, { password }), await aMember(pool.ctx)]
  const free = await saveAddress(member, 'free@example.test')
  const taken = await saveAddress(member, owner.email)
  expect(taken).toEqual({ profile: { ...free.profile, pending_email: owner.email } })
  await deliverMail(pool.ctx)
  const mails = findMailTo(server, owner.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Someone tried to use your email address at Dubplate'])
  expect(mails[0]?.text).not.toContain('/confirm')
})

test('refuses an address that was taken before its link was opened, and changes neither account', async () => {
  const member = await aMember(pool.ctx, { password })
  await saveAddress(member, 'race@example.test')
  await deliverMail(pool.ctx)
  await aMember(pool.ctx, { email: 'race@example.test' })
  const token = extractToken(findMailTo(server, 'race@example.test')[0], 'confirm')
  expect(await errorOf(confirm(token))).toMatchObject({ status: 409, code: 'email_taken' })
  expect((await getProfile(member)).email).toBe(member.email)
})

test('limits address changes: the fourth address in an hour is refused, and the third stays pending', async () => {
  const member = await aMember(pool.ctx, { password })
  for (let n = 0; n < 3; n++) await saveAddress(member, `stranger${n}@example.test`)
  const fourth = errorOf(saveAddress(member, 'stranger3@example.test'))
  expect(await fourth).toMatchObject({ status: 429, code: 'rate_limited' })
  expect((await getProfile(member)).pending_email).toBe('stranger2@example.test')
  await deliverMail(pool.ctx)
  expect(server.mails.filter(({ to }) => to?.[0]?.address?.startsWith('stranger'))).toHaveLength(3)
  const token = extractToken(findMailTo(server, 'stranger2@example.test')[0], 'confirm')
  expect((await confirm(token, member)).email).toBe('stranger2@example.test')
})

test('one member cannot use up the emails of an address, and many cannot flood its mailbox', async () => {
  const members = await Promise.all(Array.from({ length: 5 }, () => aMember(pool.ctx)))
  await pool.ctx.sql`update customer set password_hash = '!'`
  const [last, ...others] = members
  const requestDigest = async ({ token = '' } = {}) =>
    updateProfile(pool.ctx, await findCaller(pool.ctx, token), { ...person, email: 'wanted@example.test' })
  for (const one of others) for (let n = 0; n < 3; n++) await requestDigest(one)
  await expect(requestDigest(last)).rejects.toMatchObject({ code: 'rate_limited' })
  await deliverMail(pool.ctx)
  expect(findMailTo(server, 'wanted@example.test')).toHaveLength(12)
})

test('lists countries by their common names, with their regions', async () => {
  const { countries } = await pool.ask(account.getCountries, {})
  const of = (id: string) => countries.find((country) => country.id === id)
  expect(countries).toHaveLength(249)
  expect(of('GB')).toMatchObject({
    name: 'United Kingdom',
    region: [{ name: 'England' }, { name: 'Northern Ireland' }, { name: 'Scotland' }, { name: 'Wales' }],
  })
  expect(of('US')?.region).toContainEqual({ id: 'US-CA', name: 'California' })
  expect(of('ES')?.region.map(({ name }) => name)).toContain('Sevilla')
  expect(of('ES')?.region.map(({ id }) => id)).not.toContain('ES-AN')
  expect(of('GI')?.region).toEqual([])
  expect(countries.slice(0, 3).map(({ name }) => name)).toEqual(['Afghanistan', 'Åland Islands', 'Albania'])
})
