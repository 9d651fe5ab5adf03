import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { consumeLink, createMailedLink, type LinkPurpose, sweepLinks, wasUsed } from './mailed-links.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const createLink = async (customer_id: number, purpose: LinkPurpose = 'reset_password') =>
  createMailedLink(pool.ctx.sql, { purpose, customer_id, email: 'dj@example.test', minutes: 60 })

test('a link is only valid for its purpose, and nothing else uses it up', async () => {
  const { sql } = pool.ctx
  const { customer_id } = await aMember(pool.ctx)
  const token = await createLink(customer_id)
  expect(await consumeLink(sql, token, ['confirm_sign_up', 'change_address'])).toBeUndefined()
  expect(await wasUsed(sql, token)).toBe(false)
  expect(await consumeLink(sql, token, ['reset_password'])).toEqual({
    purpose: 'reset_password',
    customer_id,
    sign_up_id: null,
    email: 'dj@example.test',
  })
  expect(await wasUsed(sql, token)).toBe(true)
})

test('only one of many simultaneous requests can use a link', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const token = await createLink(customer_id)
  const all = await Promise.all(Array.from({ length: 8 }, () => consumeLink(pool.ctx.sql, token, ['reset_password'])))
  expect(all.filter((used) => used !== undefined)).toHaveLength(1)
})

test('a newer link ends the older one with the same purpose and owner, and no other', async () => {
  const { sql } = pool.ctx
  const [one, two] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const older = await createLink(one.customer_id)
  const others = await createLink(two.customer_id)
  const address = await createLink(one.customer_id, 'change_address')
  await createLink(one.customer_id)
  expect(await consumeLink(sql, older, ['reset_password'])).toBeUndefined()
  expect(await consumeLink(sql, others, ['reset_password'])).toMatchObject({ customer_id: two.customer_id })
  expect(await consumeLink(sql, address, ['change_address'])).toMatchObject({ customer_id: one.customer_id })
})

test('the token itself is not stored', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const token = await createLink(customer_id)
  const rows = await pool.ctx.sql<{ row: string }[]>`select mailed_link::text as row from mailed_link`
  for (const { row } of rows) {
    expect(row).not.toContain(token)
    expect(row).not.toContain(Buffer.from(token).toString('hex'))
    expect(row).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  }
})

test('deletes a link a month after it expired', async () => {
  const { sql } = pool.ctx
  const { customer_id } = await aMember(pool.ctx)
  const token = await createLink(customer_id)
  await consumeLink(sql, token, ['reset_password'])
  await sql`update mailed_link set expires_at = now() - interval '29 days'`
  await sweepLinks(sql)
  expect(await wasUsed(sql, token)).toBe(true)
  await sql`update mailed_link set expires_at = now() - interval '31 days'`
  await sweepLinks(sql)
  expect(await wasUsed(sql, token)).toBe(false)
})
