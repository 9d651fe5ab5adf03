import { create } from 'zustand'

/** Files that have arrived for a form and are not in it yet, by its name: it may not be on screen when they do. */
export const useArrivedUploads = create<Record<string, number[]>>(() => ({}))

/** A file that has arrived for a form, or was on the server already. */
export const addArrivedUpload = (form: string, uploadId: number) =>
  useArrivedUploads.setState((arrivedIds) => ({ [form]: [...(arrivedIds[form] ?? []), uploadId] }))

export const clearArrivedUploads = (form: string) => useArrivedUploads.setState({ [form]: [] })
