import type { AppContext } from '../app-context.ts'
import { queueMail } from '../platform/outbox.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import { customerReference, wrongCodesEmail } from './emails.ts'

/** Emails a member that wrong codes were entered with their password; at most once an hour. */
export async function sendWrongCodesWarning(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  { customer_id, email }: { customer_id: number; email: string },
): Promise<void> {
  await sql.begin(async (sql) => {
    if ((await incrementCount(sql, 'wrong_codes_email', String(customer_id), 60)) > 1) return
    await queueMail(sql, wrongCodesEmail(settings.emailSender, email), { reference: customerReference(customer_id) })
  })
}
