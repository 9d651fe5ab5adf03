import { randomInt } from 'node:crypto'
import type { Sql } from '../platform/db.ts'
import type { Encryption } from '../platform/encryption.ts'

const CODE_COUNT = 10
const CODE_LENGTH = 10
/** Without 0 and O, 1, I and L. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

const generateCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Formats a code in two groups. */
const formatCode = (code: string): string => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`

const hashCode = (encryption: Encryption, customerId: number, code: string): Buffer =>
  encryption.hash('recovery code', `${customerId} ${code}`)

/**
 * Replaces all codes by ten new ones (49 random bits each) and returns them. They are stored as keyed hashes, so they
 * are only visible this once.
 */
export async function replaceRecoveryCodes(sql: Sql, encryption: Encryption, customerId: number): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, generateCode)
  await deleteRecoveryCodes(sql, customerId)
  await sql`insert into recovery_code ${sql(
    codes.map((code) => ({ customer_id: customerId, code_hash: hashCode(encryption, customerId, code) })),
  )}`
  return codes.map(formatCode)
}

/** Uses up a code. Returns whether it was one of the member's unused codes. */
export async function useRecoveryCode(sql: Sql, encryption: Encryption, customerId: number, enteredCode: string) {
  const code = enteredCode.replace(/[\s-]/g, '').toUpperCase()
  const usedCode = await sql`
    update recovery_code set used_at = now()
    where customer_id = ${customerId} and code_hash = ${hashCode(encryption, customerId, code)} and used_at is null returning 1`
  return usedCode.length === 1
}

export const deleteRecoveryCodes = async (sql: Sql, customerId: number): Promise<void> => {
  await sql`delete from recovery_code where customer_id = ${customerId}`
}
