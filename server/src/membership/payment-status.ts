import type { Sql } from '../platform/db.ts'

/** The member data that payment providers need. */
export type Payer = {
  customer_id: number
  email: string
  dj_name: string
  name: string
  status: string
  group_id: number
}

/** Reads a member and locks the row, so that decisions about their payments are serialised. */
export async function lockPayer(sql: Sql, customerId: number): Promise<Payer> {
  const [payer] = await sql<Payer[]>`
    select customer_id, email, dj_name, status, group_id, coalesce(nullif(trim(firstname || ' ' || lastname), ''), dj_name) as name
    from customer where customer_id = ${customerId} for no key update`
  if (!payer) throw new Error(`Member ${customerId} not found`)
  return payer
}

/** Sets whether this member can download, which the rest of the pool relies on. */
export async function setPaymentStatus(sql: Sql, customerId: number, status: 'paid' | 'unpaid'): Promise<void> {
  await sql`
    update customer set payment_profile_status = ${status}
    where customer_id = ${customerId} and payment_profile_status <> ${status}`
}
