import type { planFeatures } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

type PlanFeatures = planFeatures.StoredPlanFeatures

/** The features of members whose access does not come from a subscription. */
const ALL_FEATURES: PlanFeatures = {
  ...{ monthly_downloads: null, version_downloads: null },
  ...{ has_crate_bundles: true, has_top20_packs: true, head_start_hours: 0 },
}

export type MemberFeatures = PlanFeatures & {
  /** How long this member waits for a new song that members of another plan can download earlier. */
  delay_hours: number
}

/**
 * Returns the features of a member's plan; of several subscriptions with access, of the newest. Features are not part
 * of what a member agreed to: a change applies to all subscribers at once.
 */
export async function findMemberFeatures(sql: Sql, customerId: number): Promise<MemberFeatures> {
  const [member] = await sql<MemberFeatures[]>`${memberFeatures(sql, customerId)}`
  return withAllFeatures(member)
}

/** The query of these features, for statements that read more. It has no row for a member without such a subscription. */
export const memberFeatures = (sql: Sql, customerId: number) => sql`
    select p.monthly_downloads, p.version_downloads, p.has_crate_bundles, p.has_top20_packs, p.head_start_hours,
      coalesce((select max(o.head_start_hours) from plan o where o.is_published), 0) - p.head_start_hours as delay_hours
    from subscription s join plan p using (plan_id)
    where s.customer_id = ${customerId} and s.access_until is not null
    order by s.access_until > now() desc, s.subscription_id desc limit 1`

/** Returns the features of a row of `memberFeatures`. */
export const withAllFeatures = (member: MemberFeatures | null | undefined): MemberFeatures =>
  member ?? { ...ALL_FEATURES, delay_hours: 0 }
