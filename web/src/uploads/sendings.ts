import { create } from 'zustand'

export type SendingState =
  /** Two are sent at once; this one's turn comes. */
  | 'waiting'
  /** Its SHA-256 is being measured. */
  | 'checking'
  | 'sending'
  | 'paused'
  /** The connection is gone; it goes on by itself. */
  | 'broken'
  | 'refused'
  /** Started on an earlier visit: the file has to be opened again, by its handle or by choosing it. */
  | 'left'

export type Sending = {
  id: string
  name: string
  bytes: number
  state: SendingState
  sent: number
  /** Of checking, 0 to 1. */
  share: number
  /** Bytes a second. */
  rate?: number | undefined
  /** A chunk of it was lost, and is sent again. */
  hasStumbled?: boolean
  /** Why it is refused, or broken off for another reason than the connection. */
  why: string
  /** The file that is there already, where that is why it is refused. */
  upload_id?: number | undefined
  /** Refused for a reason that may be gone the next time: a full disk, damage on the way. */
  canRetry?: boolean
  /** The form whose slots it goes into when it has arrived. */
  form?: string | undefined
  /**
   * Of one of an earlier visit: its file is being opened again, will be as soon as the member allows it, or is being sent by
   * another tab.
   */
  reopening?: 'opening' | 'prompt' | 'other-tab' | undefined
}

/** What is being sent. It lives outside React: going to another screen stops nothing. */
export const useSending = create<{ list: Sending[] }>(() => ({ list: [] }))

export const find = (id: string) => useSending.getState().list.find((sending) => sending.id === id)
/** Those of some states, in their order. */
export const sendingsInState = (...states: SendingState[]) =>
  useSending.getState().list.filter(({ state }) => states.includes(state))

export const change = (id: string, what: Partial<Sending>) =>
  useSending.setState(({ list }) => ({ list: list.map((each) => (each.id === id ? { ...each, ...what } : each)) }))
