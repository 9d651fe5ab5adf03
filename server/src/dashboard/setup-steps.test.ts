import { dashboard, type StaffRole, sitePages } from '@dubplate/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { readConfig } from '../platform/config.ts'

type Options = Parameters<typeof openTestPool>[0]

let pool: TestPool | undefined
beforeEach(() => {
  pool = undefined
})
afterEach(() => pool?.close())

async function open(options?: Options) {
  pool = await openTestPool(options)
  const { ctx, ask } = pool
  const listSteps = async (role: StaffRole) => {
    const { token } = await aMember(ctx, { staff_role: role, application: 'none' })
    return (await ask(dashboard.getAttentionItems, {}, token)).steps
  }
  const doneSteps = async () => (await listSteps('admin')).flatMap(({ step, is_done }) => (is_done ? [step] : []))
  return { ctx, ask, listSteps, doneSteps }
}

test('lists all steps of a new pool for admins only', async () => {
  const { listSteps } = await open()
  expect(await listSteps('admin')).toEqual(dashboard.SETUP_STEPS.map((step) => ({ step, is_done: false })))
  expect(await listSteps('support')).toEqual([])
})

test('marks steps as done, and lists none once all are done', async () => {
  const { ctx, ask, listSteps, doneSteps } = await open({
    config: {
      smtpUrl: 'smtp://mail.example.test',
      payments: readConfig({ SECRET: 'x'.repeat(32), GATEWAYS: 'manual', TRANSFER_INSTRUCTIONS: 'IBAN 1' }).payments,
    },
    settings: { poolName: 'Night Bus' },
  })
  const { sql } = ctx
  expect(await doneSteps()).toEqual(['mail', 'payments', 'name'])

  await sql`insert into plan (title, price_minor, currency, is_published) values ('Club', 1000, 'EUR', false)`
  await sql`insert into backup (folder, started_at, ended_at, error_message) values ('/b', now(), now(), 'No room.')`
  const { entity_id } = await aSong(ctx)
  await sql`update song_version set recipe = '{}' where entity_id = ${entity_id}`
  const { token } = await aMember(ctx, { staff_role: 'admin', application: 'none' })
  const { pages } = await ask(sitePages.getPages, {}, token)
  const template = pages.find(({ slug }) => slug === 'terms')!
  const saveTerms = (markdown: string, version: number) =>
    ask(sitePages.savePage, { slug: 'terms', title: 'Terms', markdown, version }, token)
  await saveTerms(template.markdown, 0)
  // An unpublished plan, a failed backup, the demo's music, and the sample terms are not enough.
  expect(await doneSteps()).toEqual(['mail', 'payments', 'name'])

  await sql`update plan set is_published = true`
  expect(await doneSteps()).toContain('plans')
  await sql`insert into backup (folder, started_at, ended_at, taken_at) values ('/c', now(), now(), now())`
  expect(await doneSteps()).toContain('backup')
  await aSong(ctx)
  expect(await doneSteps()).toContain('music')
  await saveTerms('Be kind.', 1)
  expect(await listSteps('admin')).toEqual([])
})
