import { imports } from '@dubplate/contract'
import type { Upload } from 'tus-js-client'
import { create } from 'zustand'
import { ask, OfflineError } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import { hashOf } from '../../uploads/hashing.ts'
import { prepareUpload } from '../../uploads/resumable.ts'
import type { ChosenFile } from './folderFiles.ts'

/** Sends the files of a folder to an import: each is measured first, and only what is not here is sent. */

export type Sending = {
  import_run_id: number
  state: 'sending' | 'waiting' | 'sent' | 'stopped'
  files: number
  bytes: number
  /** Measured, and known here or not. */
  checked: number
  here: number
  arrived: number
  arrivedBytes: number
  /** Why a file did not go; it stays behind. */
  left: { path: string; why: string }[]
}

/** It lives outside React: going to another screen stops nothing. Undefined while nothing is sent. */
export const useImportSending = create<{ now: Sending | undefined }>(() => ({ now: undefined }))

const AT_ONCE = 2
const RETRY_MS = 15_000
/** Announced together; whoever waits longer than this for others is announced alone. */
const BATCH = 25

type Measured = ChosenFile & { sha256: string }
type Due = Measured & { n: number }

let ending = new AbortController()

const change = (what: (now: Sending) => Partial<Sending>) =>
  useImportSending.setState(({ now }) => ({ now: now && { ...now, ...what(now) } }))

/** Sends a folder, and has it looked through when all of it is there. A second one takes the place of the first. */
export async function sendFolder(import_run_id: number, files: readonly ChosenFile[]): Promise<void> {
  ending.abort()
  ending = new AbortController()
  const { signal } = ending
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  useImportSending.setState({
    now: {
      ...{ import_run_id, state: 'sending', files: files.length, bytes },
      ...{ checked: 0, here: 0, arrived: 0, arrivedBytes: 0, left: [] },
    },
  })
  for (let at = 0; at < files.length && !signal.aborted; at += BATCH)
    await sendBatch(import_run_id, files.slice(at, at + BATCH), signal)
  if (signal.aborted) return
  await persist(() => ask(imports.planImport, { import_run_id }), signal).catch((error) => leave('', error))
  change(() => ({ state: 'sent' }))
  await queryClient.invalidateQueries({ queryKey: [imports.getImport.path] })
}

/** Ends what is being sent; what has arrived stays. */
export function stopSending(): void {
  ending.abort()
  change(() => ({ state: 'stopped' }))
}

async function sendBatch(import_run_id: number, files: readonly ChosenFile[], signal: AbortSignal): Promise<void> {
  const sums = new Map<ChosenFile, string>()
  await inTurns(files, async (chosen) => {
    const sha256 = await hashOf(chosen.file, () => undefined, signal).catch((error) => leave(chosen.path, error))
    if (sha256) sums.set(chosen, sha256)
    change(({ checked }) => ({ checked: checked + 1 }))
  })
  const measured = files.flatMap((chosen): Measured[] => {
    const sha256 = sums.get(chosen)
    return sha256 ? [{ ...chosen, sha256 }] : []
  })
  if (signal.aborted || measured.length === 0) return
  const told = measured.map(({ path, file, sha256 }) => ({ path, bytes: file.size, sha256 }))
  const { files: answers } = await persist(() => ask(imports.announceFiles, { import_run_id, files: told }), signal)
  const due: Due[] = []
  for (const [at, { n, state }] of answers.entries()) {
    const file = measured[at]
    if (!file) continue
    if (state === 'send') due.push({ ...file, n })
    else change(({ here }) => ({ here: here + 1 }))
  }
  await inTurns(due, (file) => sendOne(import_run_id, file, signal))
}

/** Two at a time. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

function leave(path: string, error: unknown): undefined {
  if (ending.signal.aborted) return
  const why = error instanceof Error ? error.message : 'It did not go.'
  change(({ left }) => ({ left: [...left, { path, why }] }))
}

/** Tries again for as long as there is no connection. */
async function persist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OfflineError) || signal.aborted) throw error
      change(() => ({ state: 'waiting' }))
      await later(signal)
      change(() => ({ state: 'sending' }))
    }
  }
}

/** A while, or until the network is back, or it is ended. */
const later = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = () => resolve()
    setTimeout(go, RETRY_MS)
    addEventListener('online', go, { once: true })
    signal.addEventListener('abort', go, { once: true })
  })

async function sendOne(import_run_id: number, { file, path, sha256, n }: Due, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const outcome = await transfer(import_run_id, { file, path, sha256, n }, signal)
    if (outcome === 'arrived')
      return change(({ arrived, arrivedBytes }) => ({ arrived: arrived + 1, arrivedBytes: arrivedBytes + file.size }))
    if (outcome !== 'broken') return leave(path, new Error(outcome.why))
    change(() => ({ state: 'waiting' }))
    await later(signal)
    change(() => ({ state: 'sending' }))
  }
}

type Outcome = 'arrived' | 'broken' | { why: string }

async function transfer(import_run_id: number, due: Due, signal: AbortSignal): Promise<Outcome> {
  const customerId = useSession.getState().profile?.customer_id ?? 0
  const of = { import_run_id, import_file: due.n }
  return new Promise((resolve) => {
    let upload: Upload | undefined
    signal.addEventListener('abort', () => void upload?.abort().finally(() => resolve('broken')), { once: true })
    prepareUpload(
      { file: due.file, sha256: due.sha256, customerId, of },
      {
        onProgress: () => undefined,
        onStumbled: () => undefined,
        onArrived: () => resolve('arrived'),
        onRefused: ({ message, code }) =>
          resolve(code === 'session_ended' ? 'broken' : { why: message ?? 'It was refused.' }),
        onBroken: () => resolve('broken'),
      },
    ).then(
      (ready) => {
        upload = ready
        if (signal.aborted) resolve('broken')
        else ready.start()
      },
      () => resolve('broken'),
    )
  })
}

const isUnderWay = () => ['sending', 'waiting'].includes(useImportSending.getState().now?.state ?? '')

addEventListener('beforeunload', (event) => {
  if (isUnderWay()) event.preventDefault()
})

// What somebody was sending is nobody else's to go on with.
useSession.subscribe((now) => {
  if (!now.token && !now.ended && isUnderWay()) stopSending()
})
