import { helpdesk } from '@dubplate/contract'
import { submitTicket } from '@dubplate/contract/schemas/helpdesk'
import { ApiError, callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import type { NewTicket } from './message.ts'

/** What is wrong with a ticket, by field: the sentences of the contract. */
export function validateTicket(ticket: NewTicket): Partial<Record<keyof NewTicket, string>> {
  const parsed = submitTicket.input.safeParse({ HelpdeskTickets: fieldsOf(ticket) })
  const fieldErrors: Record<string, string> = {}
  for (const { path, message } of parsed.error?.issues ?? []) fieldErrors[String(path[1])] ??= message
  return fieldErrors
}

/** What the server refused of a ticket, by field. */
export function serverFieldErrors(error: unknown): Partial<Record<keyof NewTicket, string>> {
  const fields = error instanceof ApiError ? error.fields : {}
  return Object.fromEntries(Object.entries(fields).map(([path, sentence]) => [path.split('.')[1] ?? path, sentence]))
}

const fieldsOf = ({ attachments, department_id, priority_id, ...texts }: NewTicket) => ({
  ...texts,
  // Nothing chosen is no number.
  department_id: department_id || '-',
  priority_id: priority_id || '-',
  attachments: attachments.map(({ name }) => name),
})

/** Opens a ticket and answers with its number. Throws a RefusalError, or an OfflineError. */
export async function sendTicket(ticket: NewTicket): Promise<number> {
  const { ticket_number } = await callApi(helpdesk.submitTicket, { HelpdeskTickets: fieldsOf(ticket) })
  return ticket_number
}

const LISTS = [helpdesk.getRecentTickets.path, helpdesk.getTickets.path]

/** The lists of tickets are asked for anew; answers once those on screen are there. */
export const refetchTicketLists = () =>
  Promise.all(LISTS.map((path) => queryClient.invalidateQueries({ queryKey: [path] })))
