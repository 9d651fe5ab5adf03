import { history, openDialog } from '../platform/address.ts'
import { useSession } from '../platform/session.ts'
import { createTabStorage } from '../platform/tabStorage.ts'

/** What a visitor can start before signing in. */
export type PendingActionKind =
  | 'favourite'
  | 'crate'
  | 'crateSongs'
  | 'favouriteSongs'
  | 'playlist'
  | 'download'
  | 'saveSearch'
  | 'plan'

export type PendingAction = {
  kind: PendingActionKind
  args: readonly unknown[]
  /** The name of the song or plan. */
  title: string | undefined
  /** The page where it was started. */
  path: string
  startedAt: number
}

/** The action of the sign-in that is open in this tab; `actionAfterSignIn.ts` keeps it for a new account. */
export const actionInTab = createTabStorage<PendingAction>('dubplate.pending-action')

export const describeAction = (
  kind: PendingActionKind,
  args: readonly unknown[],
  title?: string,
  path = history.location.pathname + history.location.search,
): PendingAction => ({ kind, args, title, path, startedAt: Date.now() })

/** Asks a visitor to sign in; `site/resumeAction.ts` then continues the action. */
export function askToSignIn(kind: PendingActionKind, args: readonly unknown[], title?: string) {
  actionInTab.set(describeAction(kind, args, title))
  openDialog('sign-in')
}

/** The download that a member needs a plan for: the page after the payment continues it. */
export const actionToPayFor = createTabStorage<PendingAction & { customerId: number | undefined }>(
  'dubplate.action-to-pay-for',
)

export const keepActionToPayFor = (...action: Parameters<typeof describeAction>) =>
  actionToPayFor.set({ ...describeAction(...action), customerId: useSession.getState().profile?.customer_id })

type Resume = (action: PendingAction) => void
let resume: Resume = () => undefined

/** Set once by the site, which knows how to continue each action. */
export function setResume(run: Resume) {
  resume = run
}

export const resumeAction: Resume = (action) => resume(action)
