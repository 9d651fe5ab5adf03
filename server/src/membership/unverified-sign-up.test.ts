import { joining, membership, staff } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember, aSignUp } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

/** A pool without a mail server. */
let pool: TestPool
let support: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  support = await aMember(pool.ctx, { staff_role: 'support' })
})
beforeEach(() => pool.ctx.sql`delete from rate_counter`)
afterAll(() => pool.close())

const password = 'a good long password'

async function signUpAndApply(email: string) {
  const { token } = await pool.ask(joining.signUp, { dj_name: 'DJ Kwame', email, password_hash: password })
  return pool.ask(joining.submitApplication, { referred_by: 'DJ Friend', return_to: '/song/7' }, token)
}

const signIn = (email: string) => pool.ask(membership.signIn, { email, password })
const applicationsOf = async (email: string) =>
  (await pool.ask(staff.getApplications, { search: email }, support.token)).applications
const mailTo = (email: string) => pool.ctx.sql`select 1 from outgoing_mail where to_address = ${email}`

test('staff read the application without a confirmed address, which they see; approving lets the applicant sign in', async () => {
  const email = 'kwame@example.test'
  expect(await signUpAndApply(email)).toEqual({ email, address_confirmed: true })
  expect(await errorOf(signIn(email))).toMatchObject({ code: 'dj_application_pending' })
  const [application] = await applicationsOf(email)
  expect(application).toMatchObject({ email_verified: false, state: 'pending', version: 1 })
  await pool.ask(
    staff.decideApplication,
    { customer_id: application!.customer_id, decision: 'approve', version: 1 },
    support.token,
  )
  expect((await signIn(email)).profile.email).toBe(email)
  expect(await mailTo(email)).toEqual([])
  expect(await pool.ctx.sql`select 1 from mail_request where email = ${email}`).toEqual([])
})

test('reveals nothing about an address that has an account, and changes nothing there', async () => {
  const { customer_id, email } = await aMember(pool.ctx)
  expect(await signUpAndApply(email)).toEqual({ email, address_confirmed: true })
  expect(await errorOf(signIn(email))).toMatchObject({ code: 'dj_application_pending' })
  const [member] = await pool.ctx.sql`
    select email_verified, referred_by from customer join dj_application using (customer_id)
    where customer_id = ${customer_id}`
  expect(member).toEqual({ email_verified: true, referred_by: '' })
})

test('an application sent while the pool had a mail server reaches staff at the next sign-in', async () => {
  const { email } = await aSignUp(pool.ctx, { applied: true, password })
  expect(await applicationsOf(email)).toEqual([])
  expect(await errorOf(signIn(email))).toMatchObject({ code: 'dj_application_pending' })
  expect(await applicationsOf(email)).toMatchObject([{ email_verified: false }])
})
