import { staff, support } from '@dubplate/contract'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import * as texts from './texts.ts'

/** The calls whose replies show the state of a ticket. */
export const TICKET_CALLS = [support.getQueue, support.getTicket, staff.getDashboard]

export const useTicketChange = () =>
  useApiMutation(support.changeTicket, { invalidates: TICKET_CALLS, errorTitle: texts.couldntUpdateTicket })
