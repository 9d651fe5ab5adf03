import { type InputOf, staff, support } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

/** Reloads the queue and its count. */
export const askQueueAnew = () =>
  Promise.all(
    [support.getQueue, staff.getDashboard].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

type Change = Omit<InputOf<typeof support.changeTicket>, 'ticket_number'>

/**
 * Changes a ticket, reloads everything that shows it, and shows the error when the change fails. Resolves to true on
 * success.
 */
export async function changeTicket(ticketNumber: number, change: Change): Promise<boolean> {
  try {
    await callApi(support.changeTicket, { ticket_number: ticketNumber, ...change })
  } catch (error) {
    void toastError(format(texts.couldntUpdateTicket, { ticketNumber }), error)
    return false
  }
  await Promise.all([askQueueAnew(), queryClient.invalidateQueries({ queryKey: [support.getTicket.path] })])
  return true
}

/** Reloads the saved replies after one was changed or used. */
export const askAnswersAnew = () => queryClient.invalidateQueries({ queryKey: [support.getSavedReplies.path] })
