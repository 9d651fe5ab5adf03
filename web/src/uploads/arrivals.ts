import { create } from 'zustand'
import { onArrival } from './sending.ts'

/** Which form a file is sent from, by the id of the sending. */
const formOf = new Map<string, string>()

/** Files that have arrived for a form and are not in it yet, by its name: it may not be on screen when they do. */
export const useArrivals = create<Record<string, number[]>>(() => ({}))

/** What is sent goes into the slots of a form. */
export function sendTo(form: string, sendingIds: string[]) {
  for (const id of sendingIds) formOf.set(id, form)
}

/** What is still on its way to a form goes to none: its song is saved, and the next one is another. */
export function sendNoMore(form: string) {
  for (const [id, name] of formOf) if (name === form) formOf.delete(id)
  takeArrivals(form)
}

/** Something for a form that is there already. */
export const arriveAt = (form: string, uploadId: number) =>
  useArrivals.setState((arrived) => ({ [form]: [...(arrived[form] ?? []), uploadId] }))

export const takeArrivals = (form: string) => useArrivals.setState({ [form]: [] })

onArrival((id, uploadId) => {
  const form = formOf.get(id)
  if (form) arriveAt(form, uploadId)
})
