import { create } from 'zustand'

export type SendingState =
  /** Queued: two are uploaded at once. */
  | 'waiting'
  /** Its SHA-256 is being computed. */
  | 'checking'
  | 'sending'
  | 'paused'
  /** The connection was lost; it resumes automatically. */
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
  /** The progress of checking, 0 to 1. */
  share: number
  /** Bytes per second. */
  rate?: number | undefined
  /** True while a chunk that failed is being sent again. */
  hasStumbled?: boolean
  /** Why it was rejected, or stopped for a reason other than the connection. */
  why: string
  /** The existing file, if it was rejected as a duplicate. */
  upload_id?: number | undefined
  /** True if it was rejected for a temporary reason: a full disk, or corruption in transit. */
  canRetry?: boolean
  /** The form whose slots it is added to once it is uploaded. */
  form?: string | undefined
  /**
   * For an upload of an earlier visit: its file is being opened, needs permission first, or is being uploaded by
   * another tab.
   */
  reopening?: 'opening' | 'prompt' | 'other-tab' | undefined
}

/** The current uploads. Stored outside React: opening another screen stops nothing. */
export const useSending = create<{ list: Sending[] }>(() => ({ list: [] }))

export const find = (id: string) => useSending.getState().list.find((sending) => sending.id === id)
/** The uploads in these states, in their order. */
export const sendingsInState = (...states: SendingState[]) =>
  useSending.getState().list.filter(({ state }) => states.includes(state))

export const change = (id: string, what: Partial<Sending>) =>
  useSending.setState(({ list }) => ({ list: list.map((each) => (each.id === id ? { ...each, ...what } : each)) }))

/**
 * Files that were uploaded for a form but not added to it yet, by the form's name: the form may not be on screen then.
 */
export const useArrivedUploads = create<Record<string, number[]>>(() => ({}))

/** Adds a file that was uploaded for a form, or was already on the server. */
export const addArrivedUpload = (form: string, uploadId: number) =>
  useArrivedUploads.setState((state) => ({ [form]: [...(state[form] ?? []), uploadId] }))

export const clearArrivedUploads = (form: string) => useArrivedUploads.setState({ [form]: [] })
