import type { ReplyOf, staff } from '@dubplate/contract'
import { countPayments } from '../billing/staff-payments.ts'
import { countWaiting } from '../helpdesk/queue.ts'
import type { Sql } from '../platform/db.ts'
import { countMail } from '../platform/outgoing-mail.ts'
import { version } from '../platform/version.ts'
import { countInReview } from '../uploads/review.ts'

/** Returns what needs attention from staff. */
export async function getDashboard(sql: Sql, now: Date): Promise<ReplyOf<typeof staff.getDashboard>> {
  const [[applications], payments, uploads_waiting, tickets_waiting, mail] = await Promise.all([
    sql<{ n: number }[]>`select count(*)::int as n from dj_application where state = 'pending'`,
    countPayments(sql, now),
    countInReview(sql, now),
    countWaiting(sql),
    countMail(sql),
  ])
  return {
    applications_pending: applications?.n ?? 0,
    transfers_waiting: payments.waiting,
    uploads_waiting,
    tickets_waiting,
    mail_waiting: mail.waiting,
    mail_failed: mail.failed,
    program: version,
  }
}
