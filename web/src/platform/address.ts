import { type AnyRouter, createBrowserHistory } from '@tanstack/react-router'

/** The address bar. Made apart from the router, so that any room can go somewhere without importing the route table. */
export const history = createBrowserHistory()

let router: AnyRouter | undefined

/** Told once, when the page starts. */
export function setRouter(appRouter: AnyRouter) {
  router = appRouter
}

export const goTo = (href: string) => history.push(href)

export const DIALOGS = ['sign-in', 'create-account', 'apply', 'recover', 'reset', 'confirm', 'keys'] as const
export type DialogName = (typeof DIALOGS)[number]

/** What a dialog says when it comes up because of what was done before. `isMailed`: a mail is on its way. */
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
 * Opens a dialog over the page on screen; it is part of the address, so that back closes it. From one dialog to another
 * the entry of the history stays the same: one "back" closes whichever is open.
 */
export function openDialog(dialog: DialogName, notice?: Notice) {
  const open = currentDialog()
  if (open === dialog) return
  const openedHere = open === null || history.location.state.openedHere === true
  void showDialog(dialog, { replace: open !== null, state: notice ? { openedHere, notice } : { openedHere } })
}

/** The address of the page on screen with a dialog over it. */
export function dialogUrl(dialog: DialogName): string {
  const search = new URLSearchParams(history.location.search)
  search.set('dialog', dialog)
  return `${history.location.pathname}?${search}`
}

/** Closes the open dialog: back to the entry before it, or, where the address came with the dialog in it, the address without. */
export function closeDialog() {
  if (!currentDialog()) return
  if (history.location.state.openedHere) history.back()
  else void showDialog(undefined, { replace: true, state: {} })
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** This entry of the history is a dialog that was opened over the entry before it. */
    openedHere?: boolean
    notice?: Notice
  }
}
