import { digging } from '@dubplate/contract'
import { create } from 'zustand'
import { ApiError, callApi, isWorthRetrying } from '../platform/api.ts'
import { useSession } from '../platform/session.ts'

/** Decisions that are on their way to the server, in their order. They survive a lost connection and a reload. */

export type Outgoing = {
  customer_id: number
  list: string
  entity_id: number
  /** For messages. */
  title: string
  /** Undefined: undoes the decision. */
  action?: digging.DigAction | undefined
  song_version_id?: number | undefined
}

const KEY = 'dubplate.dig-outbox'
const FIRST_RETRY_MS = 4_000
const LAST_RETRY_MS = 60_000

function readStored(): Outgoing[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? (stored as Outgoing[]) : []
  } catch {
    return []
  }
}

/** `hasFailed` is true from the first failed attempt until everything is saved. */
export const useOutbox = create<{ entries: Outgoing[]; hasFailed: boolean }>(() => ({ entries: [], hasFailed: false }))

const { getState: state, setState: set } = useOutbox

function setEntries(entries: Outgoing[]) {
  set({ entries })
  try {
    if (entries.length > 0) localStorage.setItem(KEY, JSON.stringify(entries))
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage, they last as long as the tab.
  }
}

type Listener = {
  /** The server rejected it for good: a full crate. */
  onRejected: (entry: Outgoing, error: Error) => void
  /** Everything is saved. */
  onSaved: (saved: Outgoing[]) => void
}
const listeners = new Set<Listener>()

export function listenToOutbox(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function saveDecision(entry: Omit<Outgoing, 'customer_id'>) {
  const customer_id = useSession.getState().profile?.customer_id ?? 0
  setEntries([...state().entries, { ...entry, customer_id }])
  void sendOutbox()
}

/** Takes over what an earlier page could not save; what belongs to another member is dropped. */
export function resumeOutbox() {
  const customerId = useSession.getState().profile?.customer_id
  if (customerId === undefined || state().entries.length > 0) return
  setEntries(readStored().filter(({ customer_id }) => customer_id === customerId))
  void sendOutbox()
}

let isSending = false
let retryTimer: ReturnType<typeof setTimeout> | undefined
let retryMs = FIRST_RETRY_MS

/** Sends everything, one after the other; after a failure it is repeated later. */
export async function sendOutbox(): Promise<void> {
  if (isSending) return
  isSending = true
  clearTimeout(retryTimer)
  const saved: Outgoing[] = []
  try {
    for (let entry = state().entries[0]; entry; entry = state().entries[0]) {
      const error = await send(entry).then(
        () => undefined,
        (error: Error) => error,
      )
      if (error && isKept(error)) return retryLater()
      setEntries(state().entries.slice(1))
      if (error) for (const { onRejected } of listeners) onRejected(entry, error)
      else saved.push(entry)
    }
    retryMs = FIRST_RETRY_MS
    set({ hasFailed: false })
  } finally {
    isSending = false
    if (saved.length > 0) for (const { onSaved } of listeners) onSaved(saved)
  }
}

/** After a session has ended, they wait for the member to sign in again. */
const isKept = (error: Error) => isWorthRetrying(error) || (error instanceof ApiError && error.status === 401)

function retryLater() {
  set({ hasFailed: true })
  retryTimer = setTimeout(() => void sendOutbox(), retryMs)
  retryMs = Math.min(LAST_RETRY_MS, retryMs * 2)
}

const send = ({ list, entity_id, action, song_version_id }: Outgoing) =>
  action
    ? callApi(digging.digDecide, { list, entity_id, action, song_version_id })
    : callApi(digging.digUndo, { list, entity_id })

addEventListener('online', () => void sendOutbox())
useSession.subscribe((now, before) => {
  const hasOther = now.profile && state().entries.some(({ customer_id }) => customer_id !== now.profile?.customer_id)
  if (hasOther || (now.token === null && !now.ended)) setEntries([])
  else if (now.token && now.token !== before.token) void sendOutbox()
})
