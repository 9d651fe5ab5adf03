import type { ReplyOf, staff } from '@dubplate/contract'
import { countPayments } from '../billing/staff-payments.ts'
import { countWaiting } from '../helpdesk/queue.ts'
import { countUpTo } from '../platform/count-up-to.ts'
import type { Sql } from '../platform/db.ts'
import { countMail } from '../platform/outgoing-mail.ts'
import { version } from '../platform/version.ts'
import { countInReview } from '../uploads/review.ts'

/** Returns what needs attention from staff. */
export async function getDashboard(sql: Sql, now: Date): Promise<ReplyOf<typeof staff.getDashboard>> {
  const [applications_pending, payments, uploads_waiting, tickets_waiting, mail] = await Promise.all([
    countUpTo(sql, sql`select 1 from dj_application where state = 'pending'`),
    countPayments(sql, now),
    countInReview(sql, now),
    countWaiting(sql),
    countMail(sql),
  ])
  return {
    applications_pending,
    transfers_waiting: payments.waiting,
    uploads_waiting,
    tickets_waiting,
    mail_waiting: mail.waiting,
    mail_failed: mail.failed,
    program: version,
  }
}
