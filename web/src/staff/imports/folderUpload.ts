import { corrections, imports } from '@dubplate/contract'
import type { Upload } from 'tus-js-client'
import { create } from 'zustand'
import { callApi, OfflineError } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import { upload } from '../../platform/upload.ts'
import { computeSha256 } from '../../uploads/hashing.ts'
import { prepareUpload } from '../../uploads/resumable.ts'
import { type ChosenFile, type ChosenFolder, folderWith } from './folderFiles.ts'
import { forgetFolder, keepFolder } from './folderHandles.ts'
import * as texts from './texts.ts'

/**
 * Uploads the files of a folder to an import. Each file is hashed first, and only unknown ones are sent, after the
 * cover picture of their folder.
 */

export type Sending = {
  import_run_id: number
  state: 'sending' | 'waiting' | 'sent' | 'stopped'
  files: number
  bytes: number
  /** Hashed, and known to be in the pool or not. */
  checked: number
  here: number
  arrived: number
  arrivedBytes: number
  /** Cover pictures of folders. */
  covers: number
  /** Cover pictures that could not be uploaded, with the reason; the music is imported without them. */
  coversLeft: { path: string; why: string }[]
  sheets: number
  sheetsLeft: { path: string; why: string }[]
  /** Files that could not be uploaded, with the reason. */
  left: { path: string; why: string }[]
}

/** Stored outside React, so that an upload continues on other screens. Undefined while nothing is being uploaded. */
export const useImportSending = create<{ now: Sending | undefined }>(() => ({ now: undefined }))

const AT_ONCE = 2
const RETRY_MS = 15_000
/** Number of files announced to the server in one request. */
const BATCH = 25

type Measured = ChosenFile & { sha256: string }
type Due = Measured & { n: number }

let ending = new AbortController()

const change = (what: (now: Sending) => Partial<Sending>) =>
  useImportSending.setState(({ now }) => ({ now: now && { ...now, ...what(now) } }))

/** Uploads a folder, and starts its scan when everything has arrived. A second one replaces the first. */
export async function sendFolder(import_run_id: number, folder: Omit<ChosenFolder, 'others'>): Promise<void> {
  const { files, covers, sheets } = folder
  ending.abort()
  ending = new AbortController()
  const { signal } = ending
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  useImportSending.setState({
    now: {
      ...{ import_run_id, state: 'sending', files: files.length, bytes },
      ...{
        checked: 0,
        here: 0,
        arrived: 0,
        arrivedBytes: 0,
        covers: 0,
        coversLeft: [],
        sheets: 0,
        sheetsLeft: [],
        left: [],
      },
    },
  })
  void keepFolder(import_run_id, folder)
  try {
    for (const sheet of sheets) if (!signal.aborted) await sendSheet(import_run_id, sheet, signal)
    const dueCovers = new Map(covers)
    for (let at = 0; at < files.length && !signal.aborted; at += BATCH)
      await sendBatch(import_run_id, { files: files.slice(at, at + BATCH), dueCovers }, signal)
    if (!signal.aborted) await persist(() => callApi(imports.planImport, { import_run_id }), signal)
  } catch (error) {
    leave('', error)
  }
  if (signal.aborted) return
  // Before the screen changes: it would find the folder again and upload it a second time.
  await forgetFolder(import_run_id)
  change(() => ({ state: 'sent' }))
  await queryClient.invalidateQueries({ queryKey: [imports.getImport.path] })
}

/** Stops the upload; files that have arrived stay. */
export function stopSending(): void {
  ending.abort()
  change(({ import_run_id }) => {
    void forgetFolder(import_run_id)
    return { state: 'stopped' }
  })
}

type Batch = {
  files: readonly ChosenFile[]
  /** By folder; removed when they are sent. */
  dueCovers: Map<string, ChosenFile>
}

async function sendBatch(import_run_id: number, { files, dueCovers }: Batch, signal: AbortSignal): Promise<void> {
  const sums = new Map<ChosenFile, string>()
  await inTurns(files, async (chosen) => {
    const sha256 = await computeSha256(chosen.file, () => undefined, signal).catch((error) => leave(chosen.path, error))
    if (sha256) sums.set(chosen, sha256)
    change(({ checked }) => ({ checked: checked + 1 }))
  })
  const measured = files.flatMap((chosen): Measured[] => {
    const sha256 = sums.get(chosen)
    return sha256 ? [{ ...chosen, sha256 }] : []
  })
  if (signal.aborted || measured.length === 0) return
  const told = measured.map(({ path, file, sha256 }) => ({ path, bytes: file.size, sha256 }))
  const { files: answers } = await persist(() => callApi(imports.registerFiles, { import_run_id, files: told }), signal)
  const due: Due[] = []
  for (const [at, { n, state, cover }] of answers.entries()) {
    const file = measured[at]
    if (!file) continue
    if (state === 'missing') due.push({ ...file, n })
    else change(({ here }) => ({ here: here + 1 }))
    const folder = folderWith(file)
    const picture = state === 'missing' || state === 'uploaded' ? dueCovers.get(folder) : undefined
    if (!picture || signal.aborted) continue
    dueCovers.delete(folder)
    await sendCover({ import_run_id, import_file: n, before: cover }, picture, signal)
  }
  await inTurns(due, (file) => sendOne(import_run_id, file, signal))
}

async function sendSheet(import_run_id: number, { file, path }: ChosenFile, signal: AbortSignal): Promise<void> {
  try {
    const most = imports.MAX_SHEET_BYTES
    if (file.size > most) throw new Error(format(texts.sheetsCanBeUpTo, { most: most / 1024 / 1024 }))
    const form = new FormData()
    form.append('import_run_id', String(import_run_id))
    form.append('path', path)
    form.append('sheet', file)
    await persist(() => upload(imports.uploadSheet, form, () => undefined), signal)
    change(({ sheets }) => ({ sheets: sheets + 1 }))
  } catch (error) {
    if (!signal.aborted) change(({ sheetsLeft }) => ({ sheetsLeft: [...sheetsLeft, { path, why: whyOf(error) }] }))
  }
}

type CoverPlace = {
  import_run_id: number
  /** The number of a file of the folder. */
  import_file: number
  /** SHA-256 of the picture that was sent for the folder before. */
  before: string | null
}

async function sendCover(
  { import_run_id, import_file, before }: CoverPlace,
  { file, path }: ChosenFile,
  signal: AbortSignal,
): Promise<void> {
  try {
    const most = corrections.MAX_COVER_BYTES
    if (file.size > most) throw new Error(format(texts.picturesCanBeUpTo, { most: most / 1024 / 1024 }))
    if ((await computeSha256(file, () => undefined, signal)) === before) return
    const form = new FormData()
    form.append('import_run_id', String(import_run_id))
    form.append('import_file', String(import_file))
    form.append('picture', file)
    await persist(() => upload(imports.uploadCover, form, () => undefined), signal)
    change(({ covers }) => ({ covers: covers + 1 }))
  } catch (error) {
    if (!signal.aborted) change(({ coversLeft }) => ({ coversLeft: [...coversLeft, { path, why: whyOf(error) }] }))
  }
}

/** Processes two at a time. */
async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

function leave(path: string, error: unknown): undefined {
  if (ending.signal.aborted) return
  change(({ left }) => ({ left: [...left, { path, why: whyOf(error) }] }))
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : texts.uploadFailed)

/** Retries for as long as there is no connection. */
async function persist<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error
      await untilBack(signal)
      if (signal.aborted) throw error
    }
  }
}

/**
 * If it was stopped before or while waiting, it changes no state: the state already says so, or another upload is
 * running.
 */
async function untilBack(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  change(() => ({ state: 'waiting' }))
  await later(signal)
  if (!signal.aborted) change(() => ({ state: 'sending' }))
}

/** Resolves after a pause, when the network is back, or when the upload is stopped. */
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
    await untilBack(signal)
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
        onRetry: () => undefined,
        onUploaded: () => resolve('arrived'),
        onRejected: ({ message, code }) =>
          resolve(code === 'session_expired' ? 'broken' : { why: message ?? texts.theServerRejectedThisFile }),
        onInterrupted: () => resolve('broken'),
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

export const isUnderWay = () => ['sending', 'waiting'].includes(useImportSending.getState().now?.state ?? '')

addEventListener('beforeunload', (event) => {
  if (isUnderWay()) event.preventDefault()
})

// Stops the upload on sign-out, so that another user does not continue it.
useSession.subscribe((now) => {
  if (!now.token && !now.ended && isUnderWay()) stopSending()
})
