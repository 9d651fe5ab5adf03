import { cloud } from '@dubplate/contract'
import type { Caller } from '../membership/caller.ts'
import { markNotificationSeenBy, notify } from '../notices/notifications.ts'
import type { Sql } from '../platform/db.ts'

/** Songs are sent while the member does other things: what failed is also under the bell. */

type Receiver = { customer_id: number; provider: cloud.CloudProviderName }

const subjectOf = (provider: cloud.CloudProviderName): string => `cloud ${provider}`

/** At most one unread notification per provider. */
export const notifyOfFailure = (sql: Sql, { customer_id, provider }: Receiver, isExpired: boolean): Promise<void> => {
  const name = cloud.CLOUD_NAMES[provider]
  const text = isExpired
    ? `${name} no longer accepts the connection to your account. Connect it again.`
    : `Some songs couldn’t be sent to ${name}.`
  return notify(sql, { customer_id, kind: 'cloud', text, address: '/account/cloud', about: subjectOf(provider) })
}

/** The member has opened the page with everything that was sent. */
export async function markFailuresSeen(sql: Sql, member: Caller): Promise<void> {
  for (const provider of cloud.CLOUD_PROVIDERS) await markNotificationSeenBy(sql, member, subjectOf(provider))
}
