import { type Asker, admitDownload } from '../membership/asker.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'

/** A link outlasts a slow line and a break, not the evening. */
const LINK_HOURS = 6

type Kind = 'file' | 'bundle'

/** A signed address, bound to the member's session: it ends with the session, and at the latest after six hours. */
export function makeLink(world: World, kind: Kind, subject: number, sessionId: number, name: string): string {
  const endsAt = new Date(world.now().getTime() + LINK_HOURS * 3600 * 1000)
  const signed = world.signing.sign(kind, [subject, sessionId], endsAt)
  return `/${kind === 'file' ? 'files' : 'bundles'}/${signed}/${encodeURIComponent(name)}`
}

/**
 * What a link stands for. Refuses `link_changed`, `link_expired` (also when its session has ended), and what a download
 * refuses: a member may have lost the right to it since the link was made.
 */
export async function openLink(
  world: World,
  kind: Kind,
  signed: string,
): Promise<{ subject: number; customer_id: number }> {
  const [subject, sessionId] = world.signing.open(kind, signed, world.now()).map(Number)
  if (subject === undefined || sessionId === undefined) throw new Refusal('link_changed', 'This link is not whole.')
  const [session] = await world.sql<Pick<Asker, 'customer_id' | 'group_id' | 'payment_profile_status'>[]>`
    select customer_id, group_id, payment_profile_status from session join customer using (customer_id)
    where session_id = ${sessionId} and expires_at > ${world.now()} and purpose = 'member' and status = 'active'`
  if (!session) throw new Refusal('link_expired', 'This link belongs to a session that has ended.')
  admitDownload(session)
  return { subject, customer_id: session.customer_id }
}

/** A link whose transfer has completed is good for this long: a program may look at it again, nobody may hand it round. */
const MINUTES_AFTER_COMPLETION = 15

/** Refuses `link_expired` when what the link stands for has been fetched whole a while ago. */
export function refuseFetched(world: World, completedAt: Date | null): void {
  if (completedAt === null) return
  if (world.now().getTime() - completedAt.getTime() <= MINUTES_AFTER_COMPLETION * 60_000) return
  throw new Refusal('link_expired', 'This link has done its work: what it leads to has been fetched.')
}
