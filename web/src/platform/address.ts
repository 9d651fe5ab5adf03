import { type AnyRouter, createBrowserHistory } from '@tanstack/react-router'

/**
 * The browser history. Created separately from the router, so that any module can navigate without importing the
 * routes.
 */
export const history = createBrowserHistory()

let router: AnyRouter | undefined

/** Called once, when the page starts. */
export function setRouter(appRouter: AnyRouter) {
  router = appRouter
}

export const goTo = (href: string) => history.push(href)

export const DIALOGS = ['sign-in', 'create-account', 'apply', 'recover', 'reset', 'confirm', 'welcome', 'keys'] as const
export type DialogName = (typeof DIALOGS)[number]

/** The message a dialog shows about the previous step. `isMailed`: an email has been sent. */
export type Notice = { text: string; isMailed?: boolean }

type DialogHistoryEntry = { replace: boolean; state: { openedHere?: boolean; notice?: Notice } }

const showDialog = (dialog: DialogName | undefined, { replace, state }: DialogHistoryEntry) =>
  router?.navigate({
    to: '.',
    search: (search: object) => ({ ...search, dialog }),
    state,
    replace,
    resetScroll: false,
  })

const currentDialog = () => new URLSearchParams(history.location.search).get('dialog')

/**
 * Opens a dialog over the current page; it is part of the URL, so that Back closes it. Opening one dialog from another
 * replaces the history entry: one Back closes whichever is open.
 */
export function openDialog(dialog: DialogName, notice?: Notice) {
  const open = currentDialog()
  if (open === dialog) return
  const openedHere = open === null || history.location.state.openedHere === true
  void showDialog(dialog, { replace: open !== null, state: notice ? { openedHere, notice } : { openedHere } })
}

/** The URL of the current page with a dialog over it. */
export function dialogUrl(dialog: DialogName): string {
  const search = new URLSearchParams(history.location.search)
  search.set('dialog', dialog)
  return `${history.location.pathname}?${search}`
}

/**
 * Closes the open dialog: back to the previous history entry or, if the page was opened with the dialog, to the URL
 * without it.
 */
export function closeDialog() {
  if (!currentDialog()) return
  if (history.location.state.openedHere) history.back()
  else void showDialog(undefined, { replace: true, state: {} })
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** True if this history entry is a dialog opened over the previous entry. */
    openedHere?: boolean
    notice?: Notice
  }
}
