import { randomBytes } from 'node:crypto'
import { DEMO_PASSWORD } from '@dubplate/demo/world'
import { hashPassword } from '../membership/password.ts'
import type { Pool, Sql } from '../platform/db.ts'
import type { DemoMode } from '../platform/demo-mode.ts'

const PASSWORD_BYTES = 15

/**
 * Sets the passwords of the demo's staff accounts. A public demo gets a random one at each start, which is returned so
 * that it can be printed. A demo that is local again gets the known one back.
 */
export async function setStaffPasswords(pool: Pool, mode: DemoMode): Promise<string | undefined> {
  if (mode === 'public') {
    const password = randomBytes(PASSWORD_BYTES).toString('base64url')
    const hash = await hashPassword(password)
    const changed = await pool.begin((sql) => changePasswords(sql, hash, true))
    return changed > 0 ? password : undefined
  }
  const [hidden] = await pool`select from customer where demo and demo_password_hidden limit 1`
  if (hidden) {
    const hash = await hashPassword(DEMO_PASSWORD)
    await pool.begin((sql) => changePasswords(sql, hash, false))
  }
  return undefined
}

/**
 * Sessions end when the password changes between known and random, because anyone could have opened the earlier ones.
 */
async function changePasswords(sql: Sql, hash: string, isHidden: boolean): Promise<number> {
  const condition = isHidden ? sql`demo and staff_role is not null` : sql`demo and demo_password_hidden`
  await sql`
    delete from session where customer_id in (
      select customer_id from customer where ${condition} and demo_password_hidden <> ${isHidden})`
  const changed = await sql`
    update customer set password_hash = ${hash}, demo_password_hidden = ${isHidden} where ${condition} returning customer_id`
  return changed.length
}
