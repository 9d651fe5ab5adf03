import { type Access, type Endpoint, membership, type StaffRole } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../src/membership/session.ts'
import { ACCESS_MATRIX } from './access-matrix.ts'
import { allEndpoints } from './all-endpoints.ts'
import { aMember, aSignUp } from './makers.ts'
import { errorOf, openTestPool, type TestPool } from './pool.ts'

/** Every endpoint of the contract; the one that ends the caller's session is last. */
const calls = allEndpoints.toSorted((a, b) => Number(a === membership.signOut) - Number(b === membership.signOut))

let open: TestPool
let closed: TestPool
let strict: TestPool
beforeAll(async () => {
  open = await openTestPool()
  closed = await openTestPool({ settings: { publicBrowsing: false } })
  strict = await openTestPool({ config: { staffTwoStep: 'required' } })
})
afterAll(() => Promise.all([open.close(), closed.close(), strict.close()]))

/** Whether a caller gets access to an endpoint, otherwise the error code. */
type AccessAnswer = 'in' | keyof typeof STATUS
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

type CallerKind = {
  /** For a pool with public browsing; `closed` is the result of a browse endpoint in a pool for members only. */
  answers: Record<Exclude<Access, 'public' | 'browse' | 'staff'>, AccessAnswer> & {
    closed: AccessAnswer
    staff: AccessAnswer | StaffRole
  }
  token(pool: TestPool): Promise<string | undefined>
}

const answerEverywhere = (answer: AccessAnswer) => ({
  customer: answer,
  member: answer,
  downloader: answer,
  closed: answer,
})
const memberAnswers = { ...answerEverywhere('in'), applicant: 'in', staff: 'unknown_endpoint' } as const
const applicantAnswers = { ...answerEverywhere('forbidden'), applicant: 'in', staff: 'unknown_endpoint' } as const
const applicantKind = (application: 'none' | 'pending' | 'declined'): CallerKind => ({
  answers: applicantAnswers,
  token: async ({ ctx }) => {
    const { customer_id } = await aMember(ctx, { application })
    return openSession(ctx.sql, customer_id, 'applicant', { ip: '127.0.0.1', userAgent: 'test' })
  },
})
const staffKind = (role: StaffRole, downloader: AccessAnswer = 'in'): CallerKind => ({
  answers: { ...memberAnswers, downloader, staff: role },
  token: async ({ ctx }) => (await aMember(ctx, { group_id: 4, staff_role: role, application: 'none' })).token,
})

const CALLER_KINDS: Record<string, CallerKind> = {
  'a visitor': {
    answers: { ...answerEverywhere('not_signed_in'), applicant: 'not_signed_in', staff: 'unknown_endpoint' },
    token: async () => undefined,
  },
  'an applicant with an unconfirmed email address': {
    answers: applicantAnswers,
    token: async ({ ctx }) => (await aSignUp(ctx)).token,
  },
  'a user who has not applied yet': applicantKind('none'),
  'an applicant in review, with the token for applying': applicantKind('pending'),
  'a declined applicant, with the token for applying': applicantKind('declined'),
  'a user who has not passed the second factor': {
    answers: { ...answerEverywhere('session_expired'), applicant: 'session_expired', staff: 'session_expired' },
    token: async ({ ctx }) => {
      const { customer_id } = await aMember(ctx, { staff_role: 'admin' })
      return openSession(ctx.sql, customer_id, 'second_step', { ip: '127.0.0.1', userAgent: 'test' })
    },
  },
  'a suspended member with an earlier session': {
    answers: { ...answerEverywhere('session_expired'), applicant: 'session_expired', staff: 'session_expired' },
    token: async ({ ctx }) => (await aMember(ctx, { status: 'suspended' })).token,
  },
  'a member without a paid plan': {
    answers: { ...memberAnswers, downloader: 'subscription_required' },
    token: async ({ ctx }) => (await aMember(ctx, { payment_profile_status: 'unpaid' })).token,
  },
  'a member with a paid plan': {
    answers: memberAnswers,
    token: async ({ ctx }) => (await aMember(ctx)).token,
  },
  'a label': {
    answers: { ...memberAnswers, downloader: 'downloads_not_allowed' },
    token: async ({ ctx }) => (await aMember(ctx, { group_id: 3 })).token,
  },
  'staff of support': staffKind('support'),
  'a curator': staffKind('curator'),
  'staff of billing': staffKind('billing', 'downloads_not_allowed'),
  'an admin': staffKind('admin'),
}

/** The result according to the contract only: who may use an endpoint follows from its access and roles. */
function expected({ access, roles }: Endpoint, { answers }: CallerKind, pool: TestPool): AccessAnswer {
  if (access === 'public') return 'in'
  if (access === 'browse') return pool === closed ? answers.closed : 'in'
  if (access !== 'staff') return answers[access]
  const { staff } = answers
  if (staff === 'in' || staff in STATUS) return staff as AccessAnswer
  if (staff !== 'admin' && roles && !roles.includes(staff as StaffRole)) return 'insufficient_role'
  return pool === strict ? 'two_factor_setup_required' : 'in'
}

const isAccessError = (code: string): code is keyof typeof STATUS => code in STATUS

/** Sends a request without input: a caller with access may well get another error. */
async function readAccess(pool: TestPool, call: Endpoint, token: string | undefined, remoteAddress: string) {
  const response = await pool.app.inject({
    method: call.method,
    url: `/api/${call.path}`,
    remoteAddress,
    ...(call.method === 'POST' ? { payload: {} } : {}),
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
  })
  if (response.statusCode >= 500 || response.statusCode === 429) return `${response.statusCode}`
  const code = response.statusCode === 200 ? 'in' : response.json().code
  if (!isAccessError(code)) return 'in'
  return response.statusCode === STATUS[code] ? code : `${code} as ${response.statusCode}`
}

/** The heading in the list above for an endpoint, according to the contract. */
function accessHeading({ access, roles }: Endpoint): string {
  if (access !== 'staff' || !roles) return access === 'staff' ? 'staff of every role' : access
  return `staff: ${[...roles].sort().join(', ') || 'nobody else'}`
}

test('the contract gives each endpoint the access of the written list, which is complete', () => {
  const declared = calls.map((call) => `${accessHeading(call)}: ${call.path}`)
  const documentedCalls = Object.entries(ACCESS_MATRIX).flatMap(([heading, paths]) =>
    paths.map((path) => `${heading}: ${path}`),
  )
  expect(declared.sort()).toEqual(documentedCalls.sort())
})

describe.each([
  ['a pool with public browsing', () => open, () => true],
  ['a pool for members only', () => closed, ({ access }: Endpoint) => access === 'public' || access === 'browse'],
  [
    'a pool that requires two-factor authentication for staff',
    () => strict,
    ({ access }: Endpoint) => access === 'staff',
  ],
])('in %s', (_what, poolOf, isSecondPool) => {
  test.each(Object.keys(CALLER_KINDS))('%s can use the endpoints for them, and no others', async (name) => {
    const [pool, kind] = [poolOf(), CALLER_KINDS[name] as CallerKind]
    const token = await kind.token(pool)
    // Each kind has its own address, because some endpoints allow few requests per minute.
    const location = `10.0.0.${Object.keys(CALLER_KINDS).indexOf(name) + 1}`
    const mismatches: string[] = []
    for (const call of calls.filter(isSecondPool)) {
      const [expectedAnswer, actual] = [expected(call, kind, pool), await readAccess(pool, call, token, location)]
      if (actual !== expectedAnswer) mismatches.push(`${call.path} (${call.access}): ${actual}, not ${expectedAnswer}`)
    }
    expect(mismatches).toEqual([])
  })
})

describe('signing in', () => {
  const password = 'a good long password'
  test.each([
    ['whose application is being read', { application: 'pending' }, 'dj_application_pending'],
    ['whose application was declined', { application: 'declined' }, 'dj_application_declined'],
    ['who is suspended', { status: 'suspended' }, 'account_suspended'],
  ] as const)('a member %s cannot sign in and gets no token', async (_who, overrides, code) => {
    const { email } = await aMember(open.ctx, { password, ...overrides })
    const requests = open.ask(membership.signIn, { email, password })
    const data = requests.catch((error) => error.reply.data)
    expect(await errorOf(requests)).toMatchObject({ status: 401, code })
    expect(await data).toBeNull()
  })
})
