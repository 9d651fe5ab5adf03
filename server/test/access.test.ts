import type { Access, Endpoint, StaffRole } from '@dubplate/contract'
import * as contract from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../src/membership/session.ts'
import { aMember, aSignUp } from './makers.ts'
import { openTestPool, refusalOf, type TestPool } from './pool.ts'
import { WHO_MAY } from './who-may.ts'

const isCall = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value
/** Every call of the contract; the one that ends the session that asks comes last. */
const calls = Object.values(contract)
  .flatMap((room) => (typeof room === 'object' ? Object.values(room).filter(isCall) : []))
  .sort((a, b) => Number(a === contract.membership.signOut) - Number(b === contract.membership.signOut))

let open: TestPool
let closed: TestPool
let strict: TestPool
beforeAll(async () => {
  open = await openTestPool()
  closed = await openTestPool({ settings: { publicBrowsing: false } })
  strict = await openTestPool({ config: { staffTwoStep: 'required' } })
})
afterAll(() => Promise.all([open.close(), closed.close(), strict.close()]))

/** Whether somebody comes through the door of a call, or the code they are refused with. */
type Answer = 'in' | keyof typeof STATUS
const STATUS = {
  not_signed_in: 401,
  session_expired: 401,
  forbidden: 403,
  subscription_required: 403,
  downloads_not_allowed: 403,
  insufficient_role: 403,
  two_factor_setup_required: 403,
  unknown_endpoint: 404,
}

type Kind = {
  /** Of a pool where everybody may browse; `closed` is the answer to a browse call where only members may. */
  answers: Record<Exclude<Access, 'public' | 'browse' | 'staff'>, Answer> & {
    closed: Answer
    staff: Answer | StaffRole
  }
  token(pool: TestPool): Promise<string | undefined>
}

const everywhere = (answer: Answer) => ({ customer: answer, member: answer, downloader: answer, closed: answer })
const asMember = { ...everywhere('in'), applicant: 'in', staff: 'unknown_endpoint' } as const
const asApplicant = { ...everywhere('forbidden'), applicant: 'in', staff: 'unknown_endpoint' } as const
const anApplicant = (application: 'none' | 'pending' | 'declined'): Kind => ({
  answers: asApplicant,
  token: async ({ world }) => {
    const { customer_id } = await aMember(world, { application })
    return openSession(world.sql, customer_id, 'applicant', { ip: '127.0.0.1', userAgent: 'test' })
  },
})
const aStaff = (role: StaffRole, downloader: Answer = 'in'): Kind => ({
  answers: { ...asMember, downloader, staff: role },
  token: async ({ world }) => (await aMember(world, { group_id: 4, staff_role: role, application: 'none' })).token,
})

const KINDS: Record<string, Kind> = {
  'a visitor': {
    answers: { ...everywhere('not_signed_in'), applicant: 'not_signed_in', staff: 'unknown_endpoint' },
    token: async () => undefined,
  },
  'whoever signed up and has not confirmed the address': {
    answers: asApplicant,
    token: async ({ world }) => (await aSignUp(world)).token,
  },
  'whoever has yet to apply': anApplicant('none'),
  'whoever has applied, with the token for applying': anApplicant('pending'),
  'whoever was declined, with the token for applying': anApplicant('declined'),
  'whoever has yet to take the second step': {
    answers: { ...everywhere('session_expired'), applicant: 'session_expired', staff: 'session_expired' },
    token: async ({ world }) => {
      const { customer_id } = await aMember(world, { staff_role: 'admin' })
      return openSession(world.sql, customer_id, 'second_step', { ip: '127.0.0.1', userAgent: 'test' })
    },
  },
  'a suspended member with a session from before': {
    answers: { ...everywhere('session_expired'), applicant: 'session_expired', staff: 'session_expired' },
    token: async ({ world }) => (await aMember(world, { status: 'suspended' })).token,
  },
  'a member without a paid plan': {
    answers: { ...asMember, downloader: 'subscription_required' },
    token: async ({ world }) => (await aMember(world, { payment_profile_status: 'unpaid' })).token,
  },
  'a member with a paid plan': {
    answers: asMember,
    token: async ({ world }) => (await aMember(world)).token,
  },
  'a label': {
    answers: { ...asMember, downloader: 'downloads_not_allowed' },
    token: async ({ world }) => (await aMember(world, { group_id: 3 })).token,
  },
  'staff of support': aStaff('support'),
  'a curator': aStaff('curator'),
  'staff of billing': aStaff('billing', 'downloads_not_allowed'),
  'an admin': aStaff('admin'),
}

/** What the contract says alone: who may make a call is read off its access and its roles. */
function expected({ access, roles }: Endpoint, { answers }: Kind, pool: TestPool): Answer {
  if (access === 'public') return 'in'
  if (access === 'browse') return pool === closed ? answers.closed : 'in'
  if (access !== 'staff') return answers[access]
  const { staff } = answers
  if (staff === 'in' || staff in STATUS) return staff as Answer
  if (staff !== 'admin' && roles && !roles.includes(staff as StaffRole)) return 'insufficient_role'
  return pool === strict ? 'two_factor_setup_required' : 'in'
}

const isAtTheDoor = (code: string): code is keyof typeof STATUS => code in STATUS

/** What came of a call without anything in it: behind the door it may well be refused for that. */
async function answerOf(pool: TestPool, call: Endpoint, token: string | undefined, remoteAddress: string) {
  const response = await pool.app.inject({
    method: call.method,
    url: `/api/${call.path}`,
    remoteAddress,
    ...(call.method === 'POST' ? { payload: {} } : {}),
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
  })
  if (response.statusCode >= 500 || response.statusCode === 429) return `${response.statusCode}`
  const code = response.statusCode === 200 ? 'in' : response.json().code
  if (!isAtTheDoor(code)) return 'in'
  return response.statusCode === STATUS[code] ? code : `${code} as ${response.statusCode}`
}

/** Under which heading of the written list a call belongs, as the contract has it. */
function headingOf({ access, roles }: Endpoint): string {
  if (access !== 'staff' || !roles) return access === 'staff' ? 'staff of every role' : access
  return `staff: ${[...roles].sort().join(', ') || 'nobody else'}`
}

test('each call of the contract is for whom the written list says, and every call is there', () => {
  const declared = calls.map((call) => `${headingOf(call)}: ${call.path}`)
  const written = Object.entries(WHO_MAY).flatMap(([heading, paths]) => paths.map((path) => `${heading}: ${path}`))
  expect(declared.sort()).toEqual(written.sort())
})

describe.each([
  ['a pool where everybody may browse', () => open, () => true],
  ['a pool for members only', () => closed, ({ access }: Endpoint) => access === 'public' || access === 'browse'],
  ['a pool that wants two steps of its staff', () => strict, ({ access }: Endpoint) => access === 'staff'],
])('in %s', (_what, poolOf, isAnotherThere) => {
  test.each(Object.keys(KINDS))('%s makes the calls that are for them, and no other', async (name) => {
    const [pool, kind] = [poolOf(), KINDS[name] as Kind]
    const token = await kind.token(pool)
    // Each kind from a place of its own: some calls are few a minute.
    const place = `10.0.0.${Object.keys(KINDS).indexOf(name) + 1}`
    const wrong: string[] = []
    for (const call of calls.filter(isAnotherThere)) {
      const [wanted, got] = [expected(call, kind, pool), await answerOf(pool, call, token, place)]
      if (got !== wanted) wrong.push(`${call.path} (${call.access}): ${got}, not ${wanted}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('at the door of the pool', () => {
  const password = 'a good long password'
  test.each([
    ['whose application is being read', { application: 'pending' }, 'dj_application_pending'],
    ['whose application was declined', { application: 'declined' }, 'dj_application_declined'],
    ['who is suspended', { status: 'suspended' }, 'account_suspended'],
  ] as const)('somebody %s stays out, without a token for anything', async (_who, wish, code) => {
    const { email } = await aMember(open.world, { password, ...wish })
    const asked = open.ask(contract.membership.signIn, { email, password })
    const data = asked.catch((refused) => refused.reply.data)
    expect(await refusalOf(asked)).toMatchObject({ status: 401, code })
    expect(await data).toBeNull()
  })
})
