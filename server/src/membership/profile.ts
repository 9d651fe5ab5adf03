import type { membership } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { type Caller, needsTwoFactor } from './caller.ts'
import { createMediaKey } from './media-key.ts'

type ProfileRow = Omit<membership.Profile, 'media_key' | 'two_factor_required' | 'viewed_by'>

/**
 * Returns a member's own profile, with a new key for full-length previews. Throws `session_expired` when the account
 * was deleted.
 */
export async function getProfile(
  ctx: Pick<AppContext, 'sql' | 'signing' | 'now' | 'config'>,
  { customer_id, session_id, viewed_by }: Pick<Caller, 'customer_id' | 'session_id' | 'viewed_by'>,
): Promise<membership.Profile> {
  const [row] = await ctx.sql<ProfileRow[]>`
    select customer_id, email, dj_name, firstname, lastname, telephone, street, city, postcode, country_id, region_id,
      group_id, payment_profile_status, profile_picture, staff_role, display, preferred_versions, password_hash <> '!' as has_password,
      exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) as has_two_factor,
      (select l.email from mailed_link l
        where l.customer_id = c.customer_id and l.purpose = 'change_address' and l.used_at is null and l.expires_at > now()
        order by l.created_at desc limit 1) as pending_email,
      exists (select 1 from bounced_address b where b.address = lower(c.email) and b.hard > 0) as email_bounced
    from customer c where customer_id = ${customer_id} and status = 'active'`
  if (!row) throw new ApiError('session_expired', 'Your session has expired. Sign in again.')
  return {
    ...row,
    profile_picture: pictureUrl(row.profile_picture),
    two_factor_required: needsTwoFactor(row, ctx.config),
    viewed_by,
    media_key: createMediaKey(ctx, session_id),
  }
}

/** The URL of a member's picture, which is stored under its SHA-256. */
export const pictureUrl = (sha256: string | null): string | null => sha256 && `/images/${sha256}/320.webp`
