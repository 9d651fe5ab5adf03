import { type InputOf, staff } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

type Application = staff.Application
type Decision = InputOf<typeof staff.decideApplication>['decision']

const RESULTS = {
  approve: {
    one: texts.approvedAndNotified,
    several: texts.applicationsApproved,
    notEmailed: texts.approvedNotEmailed,
  },
  reopen: {
    one: texts.movedBackToPendingWeve,
    several: texts.applicationsReopened,
    notEmailed: texts.reopenedNotEmailed,
  },
} as const

const refresh = () => refreshReplies([staff.getApplications, staff.getDashboard])

async function sendDecision({ customer_id, version }: Application, decision: Decision, reason: string) {
  const { application } = await callApi(staff.decideApplication, { customer_id, version, decision, reason })
  return application
}

const undo = (decided: readonly Application[]) => ({
  label: texts.undo,
  run: () => void decideApplications(decided, 'reopen'),
})

/**
 * Approves or reopens applications, one after the other, and shows the result. An application that someone else has
 * decided first is left as it is.
 */
export async function decideApplications(
  applications: readonly Application[],
  decision: 'approve' | 'reopen',
): Promise<void> {
  const decided: Application[] = []
  const failed: { dj_name: string; error: unknown }[] = []
  for (const application of applications) {
    try {
      decided.push(await sendDecision(application, decision, ''))
    } catch (error) {
      failed.push({ dj_name: application.dj_name, error })
    }
  }
  const [done] = decided
  if (done) {
    const { one, several, notEmailed } = RESULTS[decision]
    void toast({
      message:
        decided.length === 1
          ? format(done.email_verified ? one : notEmailed, { dj_name: done.dj_name })
          : format(several, { count: decided.length }),
      ...(decision === 'approve' && { action: undo(decided) }),
    })
  }
  const [first] = failed
  if (first) {
    const title =
      failed.length === 1
        ? format(texts.couldntUpdateSApplication, { dj_name: first.dj_name })
        : format(texts.couldntUpdateApplications, { count: failed.length })
    void toastError(title, first.error)
  }
  await refresh()
}

/** Declines an application. Throws the server's error; the list is reloaded in any case. */
export async function declineApplication(application: Application, reason: string): Promise<void> {
  try {
    const declined = await sendDecision(application, 'decline', reason)
    const { dj_name } = declined
    const message = declined.email_verified ? texts.declinedWeveEmailedTheReason : texts.declinedNotEmailed
    void toast({ message: format(message, { dj_name }), action: undo([declined]) })
  } finally {
    void refresh()
  }
}
