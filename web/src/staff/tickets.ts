import { helpdesk, type InputOf, staff, support } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { queryClient } from '../platform/queries.ts'
import { toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** The queue, and how many wait in it, are asked for anew. */
export const askQueueAnew = () =>
  Promise.all([support.getQueue, staff.getDesk].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))

type Change = Omit<InputOf<typeof support.changeTicket>, 'ticket_number'>

/** Changes a ticket and says why it could not be; everything that shows it is asked for anew. True when it is done. */
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

/** Saved answers have changed, or one was used. */
export const askAnswersAnew = () => queryClient.invalidateQueries({ queryKey: [support.getSavedAnswers.path] })

/** The newest of an answer that somebody else changed; undefined where it is gone. */
export async function readAnswer(savedAnswerId: number): Promise<support.SavedReply | undefined> {
  const { answers } = await callApi(support.getSavedAnswers, {})
  return answers.find(({ saved_answer_id }) => saved_answer_id === savedAnswerId)
}

/** Questions and answers have changed, for staff and for everybody. */
export const askFaqsAnew = () =>
  Promise.all(
    [support.getFaqs, helpdesk.getFaqs].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )
