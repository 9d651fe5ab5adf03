import { createHash } from 'node:crypto'
import type { Access } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { callsFor } from '../platform/serve.ts'

/** Who is asking, as the session says. */
export type Asker = {
  customer_id: number
  session_id: number
  purpose: 'member' | 'applicant'
  email: string
  dj_name: string
  group_id: number
  payment_profile_status: 'paid' | 'unpaid'
  profile_picture: string | null
  staff_role: 'support' | 'curator' | 'billing' | 'admin' | null
}

/** One line of a room's routes. */
export const on = callsFor<Asker>()

export const DOWNLOADING_GROUP = 2

/** Tokens are kept as their SHA-256: who reads the database cannot sign in with it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The member a token belongs to. Refuses `session_ended` when it is unknown, ended or its member suspended. */
export async function findAsker(sql: Sql, token: string): Promise<Asker> {
  const [asker] = await sql<Asker[]>`
    select c.customer_id, s.session_id, s.purpose, c.email, c.dj_name, c.group_id, c.payment_profile_status,
      c.profile_picture, c.staff_role
    from session s join customer c using (customer_id)
    where s.token_hash = ${hashToken(token)} and s.expires_at > now() and c.status = 'active'`
  if (!asker) throw new Refusal('session_ended', 'Your session has ended. Sign in again.')
  return asker
}

/** Refuses unless this person may make calls of this access. */
export function admit(access: Access, asker: Asker | undefined, publicBrowsing: boolean): void {
  if (access === 'public' || (access === 'browse' && publicBrowsing)) return
  if (!asker) throw new Refusal('not_signed_in', 'Sign in first.')
  if (access === 'applicant') return
  if (asker.purpose !== 'member') throw new Refusal('not_allowed', 'This token is only good for applying as a DJ.')
  if (access === 'staff' && !asker.staff_role) throw new Refusal('no_such_call', 'There is no such call.')
  if (access === 'downloader') admitDownload(asker)
}

/** Refuses unless this member may download at all: group 2, and paid. */
export function admitDownload(asker: Pick<Asker, 'group_id' | 'payment_profile_status'>): void {
  if (asker.group_id !== DOWNLOADING_GROUP) {
    throw new Refusal('not_a_downloading_member', 'Your kind of account does not download music.')
  }
  if (asker.payment_profile_status !== 'paid') {
    throw new Refusal('subscription_required', 'Downloading needs a paid plan.')
  }
}
