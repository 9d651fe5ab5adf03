import { type AnyRouter, createBrowserHistory } from '@tanstack/react-router'

/** The address bar. Made apart from the router, so that any room can go somewhere without importing the route table. */
export const history = createBrowserHistory()

let router: AnyRouter | undefined

/** Told once, when the page starts. */
export function followAddress(it: AnyRouter) {
  router = it
}

export const goTo = (href: string) => history.push(href)

export const DIALOGS = ['sign-in', 'keys'] as const
export type DialogName = (typeof DIALOGS)[number]

const showDialog = (dialog: DialogName | undefined, replace: boolean) =>
  router?.navigate({
    to: '.',
    search: (search: object) => ({ ...search, dialog }),
    state: { openedHere: dialog !== undefined },
    replace,
    resetScroll: false,
  })

const current = () => new URLSearchParams(history.location.search).get('dialog')

/** Opens a dialog over the page on screen; it is part of the address, so that back closes it. */
export function openDialog(dialog: DialogName) {
  if (current() !== dialog) void showDialog(dialog, false)
}

/** Closes the open dialog: back to the entry before it, or, where the address came with the dialog in it, the address without. */
export function closeDialog() {
  if (!current()) return
  if (history.location.state.openedHere) history.back()
  else void showDialog(undefined, true)
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** This entry of the history is a dialog that was opened over the entry before it. */
    openedHere?: boolean
  }
}
