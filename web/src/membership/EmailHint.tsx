import { site } from '@dubplate/contract'
import { useApiQuery } from '../platform/queries.ts'
import * as texts from './texts.ts'

/** Says where to find an email in a pool that sends none. */
export function EmailHint() {
  const { data: pool } = useApiQuery(site.getPool, {})
  if (!pool || pool.can_send_email) return null
  return <small>{pool.demo_members.length > 0 ? texts.emailIsntSetUpYetDemo : texts.emailIsntSetUpYet}</small>
}
