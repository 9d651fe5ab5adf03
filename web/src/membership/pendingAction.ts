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
  | 'addCollection'
  | 'downloadCollection'
  | 'download'
  | 'kit'
  | 'collectionKit'
  | 'send'
  | 'saveSearch'
  | 'plan'
  | 'follow'
  | 'dig'

export type StartedAction = {
  kind: PendingActionKind
  args: readonly unknown[]
  /** The name of the song, list or plan, or of what is followed. */
  title: string | undefined
  /** The version of the song that the action is about, if not the whole song. */
  version?: string | undefined
}

/** `path` is the page to open first; empty if it is open already. */
export type PendingAction = StartedAction & { path: string }

/** The action of the sign-in that is open in this tab; `actionAfterSignIn.ts` keeps it for a new account. */
export const actionInTab = createTabStorage<StartedAction>('dubplate.pending-action')

/** Asks a visitor to sign in; `site/resumeAction.ts` then continues the action. */
export function askToSignIn(kind: PendingActionKind, args: readonly unknown[], title?: string, version?: string) {
  actionInTab.set({ kind, args, title, version })
  openDialog('sign-in')
}

/** The download that a member needs a plan for: the page after the payment continues it. */
export const actionToPayFor = createTabStorage<PendingAction & { customerId: number | undefined }>(
  'dubplate.action-to-pay-for',
)

export function keepDownloadToPayFor(download: StartedAction) {
  const { pathname, search } = history.location
  const customerId = useSession.getState().profile?.customer_id
  actionToPayFor.set({ ...download, path: pathname + search, customerId })
}

/** Set by the site, which knows how to continue each action. */
export const resumption: { run: (action: PendingAction) => void } = { run: () => undefined }
