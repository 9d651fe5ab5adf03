import { downloads, members, type planFeatures } from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { aPlan, payByCard } from '../../test/payment-makers.ts'
import { type ApiCallError, openTestPool, type TestPool } from '../../test/pool.ts'
import { completeDownloads } from '../downloads/grants.ts'
import { openSession } from '../membership/session.ts'

let pool: TestPool
let staff = ''
beforeAll(async () => {
  pool = await openTestPool()
  staff = (await aMember(pool.ctx, { staff_role: 'billing' })).token
})
afterAll(() => pool.close())

type Member = { customer_id: number; token: string }
type Song = Awaited<ReturnType<typeof aSong>>

const versionOf = (song: Song) => song.versionIds[0] ?? 0

const stepsOf = async ({ customer_id }: Pick<Member, 'customer_id'>, song?: Song) =>
  (await pool.ask(members.whyNoDownload, { customer_id, ...(song ? { song_version_id: versionOf(song) } : {}) }, staff))
    .steps

/** Requests a download; returns its error code, or null if it succeeds. */
const startDownload = (member: Member, song: Song) =>
  pool.ask(downloads.downloadVersion, { version: versionOf(song) }, member.token).then(
    () => null,
    (error: ApiCallError) => error.reply.code,
  )

const useDownload = async (member: Member, song: Song) => {
  await startDownload(member, song)
  const rows = await pool.ctx.sql<{ download_id: number }[]>`
    select download_id from download where customer_id = ${member.customer_id} and completed_at is null`
  await completeDownloads(
    pool.ctx.sql,
    rows.map((row) => row.download_id),
  )
}

/**
 * Cases that prevent a download: description, failing step, error code, and a function that prepares the member and the
 * song.
 */
const BLOCKED_CASES: [string, string, string, (song: Song) => Promise<Member>][] = [
  ['a session that has ended', 'session', 'session_expired', async () => signedOut(await aMember(pool.ctx))],
  ['a suspended account', 'session', 'session_expired', () => aMember(pool.ctx, { status: 'suspended' })],
  ['a token for applying', 'session', 'forbidden', () => anApplicant()],
  ['a group without downloads', 'group', 'downloads_not_allowed', () => aMember(pool.ctx, { group_id: 3 })],
  ['no paid plan', 'payment', 'subscription_required', () => aMember(pool.ctx, { payment_profile_status: 'unpaid' })],
  [
    'an unpublished song',
    'song',
    'unknown_version',
    async (song) => {
      await pool.ctx.sql`
        update song set status = 'unpublished', unpublished_at = now() where entity_id = ${song.entity_id}`
      return aMember(pool.ctx)
    },
  ],
  [
    'a missing file',
    'file',
    'file_unavailable',
    async (song) => {
      await pool.ctx.storage.remove('audio', song.files[0]?.sha256 ?? '')
      return aMember(pool.ctx)
    },
  ],
  [
    'a reached download limit',
    'limit',
    'download_limit_reached',
    async (song) => {
      const member = await aMember(pool.ctx)
      await useDownload(member, song)
      await useDownload(member, song)
      return member
    },
  ],
  [
    'a used-up month',
    'limit',
    'monthly_limit_reached',
    async () => {
      const member = await aSubscriber({ monthly_downloads: 1 })
      await useDownload(member, await aSong(pool.ctx))
      return member
    },
  ],
  [
    'a new song for which another plan has a head start',
    'release',
    'song_not_released',
    async () => {
      await aPlan(pool.ctx, { head_start_hours: 24 })
      onTestFinished(async () => {
        await pool.ctx.sql`update plan set head_start_hours = 0`
      })
      return aSubscriber({})
    },
  ],
]

async function aSubscriber(features: Partial<planFeatures.StoredPlanFeatures>): Promise<Member> {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  await payByCard(pool, member.token, { plan: await aPlan(pool.ctx, features) })
  return member
}

async function signedOut(member: Member): Promise<Member> {
  await pool.ctx.sql`update session set expires_at = now() where customer_id = ${member.customer_id}`
  return member
}

async function anApplicant(): Promise<Member> {
  const member = await signedOut(await aMember(pool.ctx, { application: 'pending' }))
  const visit = { ip: '127.0.0.1', userAgent: 'test' }
  return { ...member, token: await openSession(pool.ctx.sql, member.customer_id, 'applicant', visit) }
}

describe('the first failing step gives the error of a download', () => {
  test.each(BLOCKED_CASES)('%s', async (_what, check, code, blockDownload) => {
    const song = await aSong(pool.ctx)
    const member = await blockDownload(song)
    expect(await startDownload(member, song)).toBe(code)
    const failedSteps = (await stepsOf(member, song)).filter(({ ok }) => !ok)
    expect(failedSteps.find((each) => each.code === code)?.step).toBe(check)
    // Steps on which the session depends come first; they are only checked here by their message.
    const decided = failedSteps.filter(({ step: check }) => check !== 'account' && check !== 'application')
    expect(decided[0]).toMatchObject({ step: check, code })
  })

  test('every error code of a download has a step', async () => {
    const named = BLOCKED_CASES.map(([, , code]) => code)
    // A version that cannot be converted can still be downloaded as it is.
    const codes = downloads.downloadVersion.errors.filter((code) => !code.startsWith('conversion_'))
    expect(named).toEqual(expect.arrayContaining(codes))
  })
})

test.each([
  ['active', 'approved', [true, true]],
  ['suspended', 'approved', [false, true]],
  ['active', 'pending', [true, false]],
  ['active', 'declined', [true, false]],
  ['active', 'none', [true, false]],
] as const)(
  'for an account that is %s with an application that is %s, signing in gives the same error',
  async (status, application, ok) => {
    const steps = await stepsOf(await aMember(pool.ctx, { status, application }))
    expect(steps.slice(0, 2).map((check) => check.ok)).toEqual(ok)
  },
)

test('all steps pass for a member who can download, and the check counts nothing', async () => {
  const song = await aSong(pool.ctx)
  const member = await aMember(pool.ctx)
  const steps = await stepsOf(member, song)
  expect(steps.map(({ step: check }) => check)).toEqual([...members.DOWNLOAD_STEPS])
  expect(steps.every(({ ok, code }) => ok && code === null)).toBe(true)
  expect(await pool.ctx.sql`select 1 from download_grant where customer_id = ${member.customer_id}`).toHaveLength(0)
  expect(await startDownload(member, song)).toBeNull()
  expect((await stepsOf(member, song)).at(-1)?.sentence).toBe('1 of 2 downloads used; the next one is free.')
})

test('members can download an unpublished song they had downloaded, with the same steps as a download', async () => {
  const song = await aSong(pool.ctx)
  const [before, stranger] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  await useDownload(before, song)
  await pool.ctx.sql`
    update song set status = 'unpublished', unpublished_at = now() where entity_id = ${song.entity_id}`
  for (const member of [before, stranger]) {
    const isRefused = (await startDownload(member, song)) !== null
    expect((await stepsOf(member, song)).some(({ ok }) => !ok)).toBe(isRefused)
  }
})

test('reports a version id and a member id that do not exist', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const { steps, version } = await pool.ask(members.whyNoDownload, { customer_id, song_version_id: 999_999 }, staff)
  expect([version, steps.at(-1)]).toEqual([
    null,
    { step: 'song', ok: false, code: 'unknown_version', sentence: 'No version with this ID exists.' },
  ])
  const nobody = await pool.request(members.whyNoDownload, { customer_id: 999_999 }, staff)
  expect([nobody.statusCode, nobody.json().code]).toEqual([404, 'unknown_member'])
})

test('explains the payment status with its dates', async () => {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const payment = async () => (await stepsOf(member)).find(({ step: check }) => check === 'payment')
  expect(await payment()).toMatchObject({ ok: false, sentence: 'No plan.' })
  await payByCard(pool, member.token, { plan: await aPlan(pool.ctx, { price_minor: 1500 }) })
  expect(await payment()).toMatchObject({
    ok: true,
    sentence: expect.stringMatching(/ is paid until \d+ \w+ \d{4}\.$/),
  })
})

test('staff can download without a plan, a downloading group, or a limit', async () => {
  const member = await aMember(pool.ctx, { group_id: 4, payment_profile_status: 'unpaid', staff_role: 'curator' })
  const song = await aSong(pool.ctx)
  for (let n = 0; n < 3; n++) await useDownload(member, song)
  expect((await stepsOf(member, song)).map(({ step: check, ok, sentence }) => [check, ok, sentence]).slice(3)).toEqual([
    ['group', true, 'Staff don’t need a group that can download.'],
    ['payment', true, 'Staff don’t need a paid plan.'],
    ['song', true, 'The version is published.'],
    ['file', true, 'The file is available.'],
    ['release', true, 'Staff don’t wait for new songs.'],
    ['limit', true, 'Staff downloads are not counted.'],
  ])
  expect(await startDownload(member, song)).toBeNull()
})
