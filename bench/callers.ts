import { downloadProfiles } from '@dubplate/contract'
import { listProfiles, saveProfile } from '../server/src/booth/profiles.ts'
import { openSession } from '../server/src/membership/session.ts'
import type { Pool } from '../server/src/platform/db.ts'
import type { Caller } from './call-inputs.ts'
import { memberEmail } from './fill-history.ts'

/** The member who makes the calls: one of those with the most downloads. */
const MEMBER = 10

export type Callers = { memberId: number; tokens: Record<Caller, string | undefined> }

/** Opens a session for the member, who has a download profile, and for an admin. */
export async function openCallers(sql: Pool): Promise<Callers> {
  const [member] = await sql<{ customer_id: number }[]>`
    select customer_id from customer where email = ${memberEmail(MEMBER)}`
  const [admin] = await sql<{ customer_id: number }[]>`
    insert into customer (email, dj_name, password_hash, group_id, staff_role)
    values (${`admin-${Date.now()}@example.test`}, 'Admin', '!', 2, 'admin') returning customer_id`
  const memberId = member?.customer_id ?? 0
  const profile = { name: 'Bench', system: 'linux', software: 'mixxx', music_folder: '/home/dj/Music' }
  // Kits need a download profile.
  if ((await listProfiles(sql, memberId)).length === 0)
    await saveProfile(sql, memberId, downloadProfiles.saveProfile.input.parse(profile))
  const client = { ip: '127.0.0.1', userAgent: 'bench' }
  return {
    memberId,
    tokens: {
      visitor: undefined,
      member: await openSession(sql, memberId, 'member', client),
      admin: await openSession(sql, admin?.customer_id ?? 0, 'member', client),
    },
  }
}

/** Opens a session for a curator, who sees the songs table of the back office. */
export async function openCurator(sql: Pool): Promise<string> {
  const [curator] = await sql<{ customer_id: number }[]>`
    insert into customer (email, dj_name, password_hash, group_id, payment_profile_status, staff_role)
    values (${`curator-${Date.now()}@example.test`}, 'Curator', '!', 2, 'paid', 'curator') returning customer_id`
  if (!curator) throw new Error('Curator insert returned no row')
  await sql`insert into dj_application (customer_id, state) values (${curator.customer_id}, 'approved')`
  return openSession(sql, curator.customer_id, 'member', { ip: '127.0.0.1', userAgent: 'bench' })
}
