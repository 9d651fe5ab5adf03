import type { Sql } from '../platform/db.ts'

const ROLE_DESCRIPTIONS: Record<string, string> = {
  'dj@demo.test': 'DJ with a paid plan',
  'free@demo.test': 'DJ without a plan',
  'label@demo.test': 'a label',
  'new@demo.test': 'signed up, no application yet',
  'pending@demo.test': 'application in review',
  'staff@demo.test': 'staff',
}

/** The demo members listed in the sign-in dialog, without those with a random password; empty if the demo is off. */
export async function listDemoMembers(sql: Sql): Promise<{ email: string; password: string; description: string }[]> {
  const rows = await sql<
    { email: string }[]
  >`select email from customer where demo and not demo_password_hidden order by customer_id`
  return rows.flatMap(({ email }) =>
    ROLE_DESCRIPTIONS[email] ? [{ email, password: 'dubplate', description: ROLE_DESCRIPTIONS[email] }] : [],
  )
}
