import type { membership } from '@dubplate/contract'
import type { Signing } from '../platform/signing.ts'
import type { Asker } from './asker.ts'

const MEDIA_KEY_HOURS = 12

/** What a member sees of themself, with a fresh key for full-length previews. */
export const profileOf = (asker: Asker, signing: Signing, now: Date): membership.Profile => ({
  customer_id: asker.customer_id,
  email: asker.email,
  dj_name: asker.dj_name,
  group_id: asker.group_id,
  payment_profile_status: asker.payment_profile_status,
  profile_picture: asker.profile_picture,
  staff_role: asker.staff_role,
  media_key: mediaKey(asker.customer_id, signing, now),
})

/** The same for a whole half-day, so that previews stay in the browser's cache between visits of a screen. */
function mediaKey(customerId: number, signing: Signing, now: Date): string {
  const life = MEDIA_KEY_HOURS * 3600 * 1000
  const endsAt = new Date((Math.floor(now.getTime() / life) + 2) * life)
  return signing.sign('media', [customerId], endsAt)
}
