import type { helpdesk, ParsedInputOf, support } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { cleanHtml } from '../platform/rich-text.ts'
import { parseWrittenHtml } from './rich-text-input.ts'

/** Returns the published FAQs, in the order staff chose. */
export async function listFaqs(sql: Sql): Promise<helpdesk.Faq[]> {
  const rows = await sql<helpdesk.Faq[]>`
    select faq_id, question, answer from faq where published order by position, faq_id`
  return rows.map((faq) => ({ ...faq, answer: cleanHtml(faq.answer) }))
}

type FaqRow = Omit<support.StaffFaq, 'updated_at'> & { updated_at: Date }

const columns = (sql: Sql) => sql`faq_id, question, answer, published, updated_at`

const toFaq = ({ updated_at, answer, ...row }: FaqRow): support.StaffFaq => ({
  ...row,
  answer: cleanHtml(answer),
  updated_at: updated_at.toISOString(),
})

export async function listAllFaqs(sql: Sql): Promise<support.StaffFaq[]> {
  const rows = await sql<FaqRow[]>`select ${columns(sql)} from faq order by position, faq_id`
  return rows.map(toFaq)
}

export const FAQ_ANSWER_FIELD = { field: 'answer', blank: 'Enter an answer.' }

/** Saves an FAQ; a new one is added at the end. Throws `unknown_faq`, `invalid_request`. */
export async function saveFaq(
  sql: Sql,
  { faq_id, question, answer, published }: ParsedInputOf<typeof support.saveFaq>,
): Promise<support.StaffFaq> {
  const html = parseWrittenHtml(answer, FAQ_ANSWER_FIELD)
  const [row] = faq_id
    ? await sql<FaqRow[]>`
        update faq set question = ${question}, answer = ${html}, published = ${published}, updated_at = now()
        where faq_id = ${faq_id} returning ${columns(sql)}`
    : await sql<FaqRow[]>`
        insert into faq (question, answer, published, position)
        values (${question}, ${html}, ${published}, (select coalesce(max(position), 0) + 1 from faq))
        returning ${columns(sql)}`
  if (!row) throw unknownFaqError()
  return toFaq(row)
}

const unknownFaqError = () => new ApiError('unknown_faq', 'This FAQ no longer exists.')

/** Throws `unknown_faq`. */
export async function removeFaq(sql: Sql, faqId: number): Promise<void> {
  const [deleted] = await sql`delete from faq where faq_id = ${faqId} returning 1`
  if (!deleted) throw unknownFaqError()
}

/** Articles that are not in the list keep their order after those that are. Throws `unknown_faq`. */
export async function orderFaqs(sql: Sql, faqIds: readonly number[]): Promise<void> {
  const known = await sql<{ faq_id: number }[]>`select faq_id from faq order by position, faq_id for update`
  const ids = known.map(({ faq_id }) => faq_id)
  if (faqIds.some((id) => !ids.includes(id))) throw unknownFaqError()
  const order = [...new Set([...faqIds, ...ids])]
  await sql`
    update faq set position = new_order.n from unnest(${order}::int[]) with ordinality as new_order (id, n) where faq_id = new_order.id`
}
