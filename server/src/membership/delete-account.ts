import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { deleteMailOf } from '../platform/outbox.ts'
import { isLastAdmin } from './admins.ts'
import type { Caller } from './caller.ts'
import { customerReference } from './emails.ts'
import { deletePictureIfUnused } from './member-pictures.ts'
import type { OwnData } from './own-data.ts'
import { UNUSABLE_PASSWORD_HASH } from './password.ts'

/** What else is deleted with an account, besides this module's own data. */
export type AccountDeletionHooks = {
  ownData: readonly OwnData[]
  deletePicture(ctx: AppContext, sha256: string): Promise<void>
  /** Cancels future payments; throws when that is not possible now. */
  cancelPayments(ctx: AppContext, customerId: number): Promise<void>
}

/**
 * Deletes an account. Its row remains without a name, because downloads refer to it; all personal data is deleted in
 * one transaction. Throws `last_admin`.
 */
export async function deleteAccount(
  ctx: AppContext,
  member: Caller,
  { ownData, deletePicture, cancelPayments }: AccountDeletionHooks,
): Promise<void> {
  const { sql, log } = ctx
  if (member.staff_role === 'admin') await sql.begin((sql) => rejectLastAdmin(sql, member.customer_id))
  await cancelPayments(ctx, member.customer_id)
  const picture = await sql.begin(async (sql) => {
    if (member.staff_role === 'admin') await rejectLastAdmin(sql, member.customer_id)
    const { email, profile_picture } = await lockMember(sql, member.customer_id)
    for (const part of ownData) await part.deleteData?.(sql, member.customer_id)
    await deleteMailOf(sql, { reference: customerReference(member.customer_id), to: email })
    await deleteMemberRows(sql, member.customer_id, email)
    return profile_picture
  })
  if (picture) await deletePictureIfUnused({ sql, log, deletePicture: (sha256) => deletePicture(ctx, sha256) }, picture)
}

type LockedMember = { email: string; profile_picture: string | null }

/** Locks the member's row. The address and picture may have changed since the caller was loaded; now they cannot. */
async function lockMember(sql: Sql, customerId: number): Promise<LockedMember> {
  const [locked] = await sql<LockedMember[]>`
    select lower(email) as email, profile_picture from customer
    where customer_id = ${customerId} and status <> 'deleted' for no key update`
  if (!locked) throw new ApiError('session_expired', 'This account no longer exists.')
  return locked
}

async function rejectLastAdmin(sql: Sql, customerId: number): Promise<void> {
  if (await isLastAdmin(sql, customerId)) {
    throw new ApiError('last_admin', 'You’re the only admin. Make someone else an admin first.')
  }
}

/** Deletes the personal data in this module's tables, including sign-ups and email requests with the same address. */
async function deleteMemberRows(sql: Sql, customer_id: number, email: string): Promise<void> {
  await sql`delete from session where customer_id = ${customer_id}`
  await sql`delete from mailed_link where customer_id = ${customer_id}`
  await sql`delete from totp where customer_id = ${customer_id}`
  await sql`delete from recovery_code where customer_id = ${customer_id}`
  await sql`delete from external_identity where customer_id = ${customer_id}`
  await sql`delete from dj_application where customer_id = ${customer_id}`
  await sql`delete from sign_in_attempt where email = ${email}`
  await sql`delete from mail_request where email = ${email}`
  await sql`delete from sign_up where lower(email) = ${email}`
  await sql`
    update customer set status = 'deleted', deleted_at = now(), email = ${`deleted-${customer_id}@deleted.invalid`},
      dj_name = 'Former member', password_hash = ${UNUSABLE_PASSWORD_HASH}, password_changed_at = null, staff_role = null, demo = false,
      firstname = '', lastname = '', telephone = '', street = '', city = '', postcode = '', country_id = '',
      region_id = '', display = null, preferred_versions = null, profile_picture = null
    where customer_id = ${customer_id}`
}
