import { site } from '@dubplate/contract'
import { useAsk } from '../platform/queries.ts'

/** Where to look for a mail in a pool that sends none. */
export function WhereMailGoes() {
  const { data: pool } = useAsk(site.getPool, {})
  if (!pool || pool.sends_mail) return null
  return (
    <small>
      This pool sends no mail itself: what it would send waits in the back office, under Outgoing mail. Ask its staff
      for the link{pool.demo_members.length > 0 && '; in this demo, staff@demo.test finds it there'}.
    </small>
  )
}
