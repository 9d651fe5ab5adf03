import { queueMail } from '../platform/outbox.ts'
import { countUp } from '../platform/rate.ts'
import type { World } from '../world.ts'
import { ofCustomer, wrongCodesEntered } from './letters.ts'

/** Emails a member that wrong codes were entered with their password; at most once an hour. */
export async function warnOfWrongCodes(
  { sql, settings }: Pick<World, 'sql' | 'settings'>,
  { customer_id, email }: { customer_id: number; email: string },
): Promise<void> {
  await sql.begin(async (sql) => {
    if ((await countUp(sql, 'wrong_codes_email', String(customer_id), 60)) > 1) return
    await queueMail(sql, wrongCodesEntered(settings.letterhead, email), { whose: ofCustomer(customer_id) })
  })
}
