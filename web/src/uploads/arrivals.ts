import { create } from 'zustand'

/** Files that have arrived for a form and are not in it yet, by its name: it may not be on screen when they do. */
export const useArrivals = create<Record<string, number[]>>(() => ({}))

/** A file that has arrived for a form, or was on the server already. */
export const arriveAt = (form: string, uploadId: number) =>
  useArrivals.setState((arrived) => ({ [form]: [...(arrived[form] ?? []), uploadId] }))

export const takeArrivals = (form: string) => useArrivals.setState({ [form]: [] })
