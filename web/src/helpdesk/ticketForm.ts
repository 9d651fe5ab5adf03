import { helpdesk } from '@dubplate/contract'
import { submitTicket } from '@dubplate/contract/schemas/helpdesk'
import { ApiError, callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import type { NewTicket } from './message.ts'

/** The errors of a ticket by field, in the contract's words. */
export function validateTicket(ticket: NewTicket): Partial<Record<keyof NewTicket, string>> {
  const parsed = submitTicket.input.safeParse({ HelpdeskTickets: fieldsOf(ticket) })
  const fieldErrors: Record<string, string> = {}
  for (const { path, message } of parsed.error?.issues ?? []) fieldErrors[String(path[1])] ??= message
  return fieldErrors
}

/** The server's errors for a ticket, by field. */
export function serverFieldErrors(error: unknown): Partial<Record<keyof NewTicket, string>> {
  const fields = error instanceof ApiError ? error.fields : {}
  return Object.fromEntries(Object.entries(fields).map(([path, sentence]) => [path.split('.')[1] ?? path, sentence]))
}

const fieldsOf = ({ attachments, department_id, priority_id, ...texts }: NewTicket) => ({
  ...texts,
  // '-' is not a number, so an empty choice fails validation.
  department_id: department_id || '-',
  priority_id: priority_id || '-',
  attachments: attachments.map(({ name }) => name),
})

/** Opens a ticket and resolves with its number. Throws an `ApiError` or an `OfflineError`. */
export async function sendTicket(ticket: NewTicket): Promise<number> {
  const { ticket_number } = await callApi(helpdesk.submitTicket, { HelpdeskTickets: fieldsOf(ticket) })
  return ticket_number
}

const LISTS = [helpdesk.getRecentTickets.path, helpdesk.getTickets.path]

/** Refetches the lists of tickets; resolves once those on screen are updated. */
export const refetchTicketLists = () =>
  Promise.all(LISTS.map((path) => queryClient.invalidateQueries({ queryKey: [path] })))
