import { randomInt } from 'node:crypto'
import type { Sql } from '../platform/db.ts'
import type { Sealing } from '../platform/sealing.ts'

const CODES = 10
const CHARACTERS = 10
/** Without 0 and O, 1, I and L. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

const newCode = (): string => Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** In two groups, as it is written down. */
const inGroups = (code: string): string => `${code.slice(0, CHARACTERS / 2)}-${code.slice(CHARACTERS / 2)}`

const hashCode = (sealing: Sealing, customerId: number, code: string): Buffer =>
  sealing.hash('recovery code', `${customerId} ${code}`)

/** Ten new codes (49 random bits each) in place of all there were. Kept as keyed hashes; answered this once. */
export async function renewRecoveryCodes(sql: Sql, sealing: Sealing, customerId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode)
  await dropRecoveryCodes(sql, customerId)
  await sql`insert into recovery_code ${sql(
    codes.map((code) => ({ customer_id: customerId, code_hash: hashCode(sealing, customerId, code) })),
  )}`
  return codes.map(inGroups)
}

/** Whether this is one of the member's codes that was not used before; it is used then. */
export async function takeRecoveryCode(sql: Sql, sealing: Sealing, customerId: number, given: string) {
  const code = given.replace(/[\s-]/g, '').toUpperCase()
  const taken = await sql`
    update recovery_code set used_at = now()
    where customer_id = ${customerId} and code_hash = ${hashCode(sealing, customerId, code)} and used_at is null returning 1`
  return taken.length === 1
}

export const dropRecoveryCodes = async (sql: Sql, customerId: number): Promise<void> => {
  await sql`delete from recovery_code where customer_id = ${customerId}`
}
