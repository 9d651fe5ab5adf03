import { type InputOf, staff } from '@dubplate/contract'
import { ApiError, callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

type Decision = InputOf<typeof staff.decideApplication>['decision']
export type Decide = (decision: Decision, reason?: string) => Promise<boolean>

const renew = () =>
  Promise.all(
    [staff.getApplications, staff.getDashboard].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

const DONE = {
  approve: texts.approvedAndNotified,
  decline: texts.declinedWeveEmailedTheReason,
  reopen: texts.movedBackToPendingWeve,
} as const satisfies Record<Decision, string>

/**
 * Decides an application and shows the result, also when someone else was first. Resolves to true when it is decided.
 */
export async function decideOn(application: staff.Application, decision: Decision, reason: string): Promise<boolean> {
  const { customer_id, version, dj_name } = application
  try {
    const reply = await callApi(staff.decideApplication, { customer_id, version, decision, reason })
    const takeBack = () => void decideOn(reply.application, 'reopen', '')
    void toast({
      message: format(DONE[decision], { dj_name }),
      ...(decision === 'reopen' ? {} : { action: { label: texts.undo, run: takeBack } }),
    })
    await renew()
    return true
  } catch (error) {
    void toastError(format(texts.couldntUpdateSApplication, { dj_name }), error)
    if (error instanceof ApiError && error.status < 500) await renew()
    return false
  }
}

/** Saves the note of an application. Throws the server's error, after the application was reloaded. */
export async function noteOn({ customer_id, version }: staff.Application, note: string): Promise<void> {
  try {
    await callApi(staff.noteApplication, { customer_id, version, note })
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await renew()
    throw error
  }
  await renew()
}
