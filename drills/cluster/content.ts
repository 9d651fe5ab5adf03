import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Pool } from '../../server/src/platform/db.ts'
import { makeWav } from '../../server/test/audio-files.ts'
import { startProgram } from '../drill.ts'

export const PASSWORD = 'a long drill password'

const SONGS = 12
const SECONDS = 8

/** The plan, songs and members that the visits of a drill use. */
export type Content = { plan: number; versions: number[]; members: { customer_id: number; email: string }[] }

/** Adds them to an empty pool with the commands of `pool`, and the members by SQL. */
export async function createContent(
  settings: Record<string, string>,
  sql: Pool,
  folder: string,
  memberCount: number,
): Promise<Content> {
  await runCommand({ ...settings, DUBPLATE_PASSWORD: PASSWORD }, ['create-staff', 'staff@drill.test'])
  await runCommand(settings, ['set-plan', 'Standard', '--price', '14.99'])
  const music = path.join(folder, 'music')
  mkdirSync(music)
  for (let n = 1; n <= SONGS; n++)
    writeFileSync(
      path.join(music, `Drill - Cluster ${n} (Clean).wav`),
      makeWav({ seconds: SECONDS, tone: 300 + 40 * n }),
    )
  await runCommand(settings, ['import', music, '--genre', 'House'])
  const plans = await sql<{ plan_id: number }[]>`select plan_id from plan`
  const versions = await sql<{ song_version_id: number }[]>`select song_version_id from song_version`
  // They have the password of the member of staff: hashing it for each of them would take minutes.
  const members = await sql<{ customer_id: number; email: string }[]>`
    insert into customer (email, dj_name, password_hash, group_id, payment_profile_status)
    select 'dj' || n || '@drill.test', 'DJ Drill ' || n, s.password_hash, 2, 'unpaid'
    from generate_series(1, ${memberCount}::int) n, (select password_hash from customer limit 1) s
    returning customer_id, email`
  await sql`
    insert into dj_application (customer_id, state)
    select customer_id, 'approved' from customer where email like 'dj%@drill.test'`
  return {
    plan: plans[0]?.plan_id ?? 0,
    versions: versions.map(({ song_version_id }) => song_version_id),
    members: [...members],
  }
}

async function runCommand(settings: Record<string, string>, args: string[]): Promise<void> {
  const { exited, lines } = startProgram('pool', settings, args)
  const { code } = await exited
  if (code !== 0) throw new Error(`pool ${args[0]} failed:\n${lines.slice(-10).join('\n')}`)
}
