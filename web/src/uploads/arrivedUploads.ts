import { create } from 'zustand'

/**
 * Files that were uploaded for a form but not added to it yet, by the form's name: the form may not be on screen then.
 */
export const useArrivedUploads = create<Record<string, number[]>>(() => ({}))

/** Adds a file that was uploaded for a form, or was already on the server. */
export const addArrivedUpload = (form: string, uploadId: number) =>
  useArrivedUploads.setState((state) => ({ [form]: [...(state[form] ?? []), uploadId] }))

export const clearArrivedUploads = (form: string) => useArrivedUploads.setState({ [form]: [] })
