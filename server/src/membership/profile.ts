import type { membership } from '@dubplate/contract'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { type Asker, needsTwoStep } from './asker.ts'
import { mediaKey } from './media-key.ts'

type Row = Omit<membership.Profile, 'media_key' | 'two_step_needed' | 'viewed_by'>

/** What a member sees of themself, with a fresh key for full-length previews. Refuses `session_expired` when they are gone. */
export async function profileOf(
  world: Pick<World, 'sql' | 'signing' | 'now' | 'config'>,
  { customer_id, session_id, viewed_by }: Pick<Asker, 'customer_id' | 'session_id' | 'viewed_by'>,
): Promise<membership.Profile> {
  const [row] = await world.sql<Row[]>`
    select customer_id, email, dj_name, firstname, lastname, telephone, street, city, postcode, country_id, region_id,
      group_id, payment_profile_status, profile_picture, staff_role, display, password_hash <> '!' as has_password,
      exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) as two_step,
      (select l.email from mailed_link l
        where l.customer_id = c.customer_id and l.purpose = 'change_address' and l.used_at is null and l.expires_at > now()
        order by l.created_at desc limit 1) as pending_email,
      exists (select 1 from bounced_address b where b.address = lower(c.email) and b.hard > 0) as email_bounced
    from customer c where customer_id = ${customer_id} and status = 'active'`
  if (!row) throw new Refusal('session_expired', 'Your session has expired. Sign in again.')
  return {
    ...row,
    profile_picture: pictureAddress(row.profile_picture),
    two_step_needed: needsTwoStep(row, world.config),
    viewed_by,
    media_key: mediaKey(world, session_id),
  }
}

/** Where a member's picture, kept under its SHA-256, is shown. */
export const pictureAddress = (sha256: string | null): string | null => sha256 && `/images/${sha256}/320.webp`
