import { format } from '../format/message.ts'
import { DIALOGS, type DialogName, history } from '../platform/address.ts'
import { actionInTab, type PendingAction, resumption } from './pendingAction.ts'
import * as texts from './texts.ts'

/** The action of a new account: it continues when that person signs in, after their application was approved. */
type ActionOfEmail = { email: string; action: PendingAction; keptAt: number }

const EMAIL_KEY = 'dubplate.pending-action-of'
const LIFETIME_MS = 14 * 24 * 3_600_000

function readActionOfEmail(): ActionOfEmail | undefined {
  try {
    const stored: ActionOfEmail | null = JSON.parse(localStorage.getItem(EMAIL_KEY) ?? 'null')
    if (stored && Date.now() - stored.keptAt < LIFETIME_MS) return stored
    localStorage.removeItem(EMAIL_KEY)
  } catch {
    // Without storage, the action is lost with the page.
  }
}

/** The action of the dialog that is open in this tab, over the page where it was started. */
function pendingAction(): PendingAction | undefined {
  const action = actionInTab.get()
  return action && { ...action, path: pagePath() }
}

function pagePath(): string {
  const search = new URLSearchParams(history.location.search)
  search.delete('dialog')
  return `${history.location.pathname}${search.size ? `?${search}` : ''}`
}

const MAX_PATH_LENGTH = 500

/** The page to return to after the application is approved. */
export function returnPath(): string {
  const path = pagePath()
  return path.length > MAX_PATH_LENGTH ? '' : path
}

/** Keeps the action for the person who created an account with this email address, also when the dialog is closed. */
export function keepActionFor(email: string) {
  const action = pendingAction()
  if (!action) return
  try {
    localStorage.setItem(
      EMAIL_KEY,
      JSON.stringify({ email: normalise(email), action, keptAt: Date.now() } satisfies ActionOfEmail),
    )
  } catch {
    // Without storage, or when it is full, the action is lost with the page.
  }
}

const normalise = (email: string) => email.trim().toLowerCase()

/**
 * Continues the action of the member who has signed in, and forgets it first, so that it is never done twice. An action
 * kept for another email address stays there.
 */
export function resumeActionOf(email: string) {
  const kept = readActionOfEmail()
  const isOwn = kept?.email === normalise(email)
  const inTab = actionInTab.get()
  const action = inTab ? { ...inTab, path: '' } : isOwn ? kept.action : undefined
  actionInTab.set(undefined)
  if (isOwn) localStorage.removeItem(EMAIL_KEY)
  if (action) resumption.run(action)
}

const JOINING_DIALOGS: readonly DialogName[] = DIALOGS.filter((name) => name !== 'keys')

/** Forgets the action when its dialog is closed; one dialog leading to the next does not close it. */
export function forgetActionWhenClosed() {
  const open = new URLSearchParams(history.location.search).get('dialog')
  if (!JOINING_DIALOGS.some((name) => name === open)) actionInTab.set(undefined)
}

/** What a dialog says about the action: “Sign in to add “Afterglow” to your crate.” */
export function explainAction(
  message: typeof texts.signInToContinueAction | typeof texts.createAccountToContinueAction,
): string | undefined {
  const pending = pendingAction()
  return pending && format(message, { action: describe(pending) })
}

function describe({ kind, args, title, version }: PendingAction): string {
  const songs = Array.isArray(args[0]) ? args[0].length : 1
  const name = title && (version ? format(texts.versionOfTitle, { version, title }) : `“${title}”`)
  const song = songs > 1 ? format(texts.nSongs, { count: songs }) : name || texts.thisSong
  if (kind === 'saveSearch') return texts.actionSaveSearch
  if (kind === 'addCollection') return format(texts.actionAddAllToCrate, { list: song })
  if (kind === 'downloadCollection' || kind === 'kit' || kind === 'collectionKit')
    return format(texts.actionDownloadAll, { list: song })
  if (kind === 'plan') return format(texts.actionChoosePlan, { plan: title ?? '' })
  if (kind === 'dig') return format(texts.actionDig, { list: title ?? '' })
  if (kind === 'follow') return format(texts.actionFollow, { name: title ?? '' })
  return format(ACTIONS[kind], { song })
}

const ACTIONS = {
  favourite: texts.actionAddToFavourites,
  favouriteSongs: texts.actionAddToFavourites,
  crate: texts.actionAddToCrate,
  crateSongs: texts.actionAddToCrate,
  playlist: texts.actionAddToPlaylist,
  download: texts.actionDownload,
  send: texts.actionSend,
} as const
