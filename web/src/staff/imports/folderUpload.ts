import { corrections, type Endpoint, imports } from '@dubplate/contract'
import type { Upload } from 'tus-js-client'
import { create } from 'zustand'
import { format } from '../../format/message.ts'
import { callApi, OfflineError } from '../../platform/api.ts'
import type { FolderFile } from '../../platform/folderEntries.ts'
import { useSession } from '../../platform/session.ts'
import { upload } from '../../platform/upload.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { computeSha256 } from '../../uploads/hashing.ts'
import { prepareUpload } from '../../uploads/resumable.ts'
import { type ChosenFolder, parentOf } from './folderFiles.ts'
import { releaseFolder, storeFolder } from './folderHandles.ts'
import * as texts from './texts.ts'

/**
 * Uploads the files of a folder to an import. Each file is hashed first, and only unknown ones are sent, after the
 * cover picture of their folder.
 */

export type FolderUpload = {
  import_run_id: number
  state: 'uploading' | 'offline' | 'finished' | 'stopped'
  fileCount: number
  bytes: number
  /** Files that are hashed. */
  hashedCount: number
  /** Files that the server already has. */
  existingCount: number
  uploadedCount: number
  uploadedBytes: number
  coverCount: number
  sheetCount: number
  failedCount: number
  /** Files, covers and sheets that could not be uploaded; '' is the path of an error that concerns the whole folder. */
  failures: { path: string; reason: string }[]
}

const NO_PROGRESS = {
  ...{ hashedCount: 0, existingCount: 0, uploadedCount: 0, uploadedBytes: 0 },
  ...{ coverCount: 0, sheetCount: 0, failedCount: 0, failures: [] },
}

type Count = 'hashedCount' | 'existingCount' | 'coverCount' | 'sheetCount' | 'failedCount'

/** Stored outside React, so that an upload continues on other screens. Undefined while nothing is being uploaded. */
export const useFolderUpload = create<{ current: FolderUpload | undefined }>(() => ({ current: undefined }))

const PARALLEL_UPLOADS = 2
const RETRY_MS = 15_000
/** Number of files registered with the server in one request. */
const BATCH_SIZE = 25

type HashedFile = FolderFile & { sha256: string }
type RegisteredFile = HashedFile & { n: number }

let abortController = new AbortController()

const update = (change: (current: FolderUpload) => Partial<FolderUpload>) =>
  useFolderUpload.setState(({ current }) => ({ current: current && { ...current, ...change(current) } }))

const increment = (count: Count) => update((current) => ({ [count]: current[count] + 1 }))

/** Uploads a folder, and starts its scan when everything has arrived. A second one replaces the first. */
export async function uploadFolder(import_run_id: number, folder: Omit<ChosenFolder, 'otherCount'>): Promise<void> {
  const { files, covers, sheets } = folder
  abortController.abort()
  abortController = new AbortController()
  const { signal } = abortController
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  useFolderUpload.setState({
    current: { import_run_id, state: 'uploading', fileCount: files.length, bytes, ...NO_PROGRESS },
  })
  void storeFolder(import_run_id, folder)
  try {
    for (const sheet of sheets) if (!signal.aborted) await sendSheet(import_run_id, sheet, signal)
    const pendingCovers = new Map(covers)
    for (let at = 0; at < files.length && !signal.aborted; at += BATCH_SIZE)
      await sendBatch(import_run_id, { files: files.slice(at, at + BATCH_SIZE), pendingCovers }, signal)
    if (!signal.aborted) await retryOffline(() => callApi(imports.planImport, { import_run_id }), signal)
  } catch (error) {
    addFailure('', error, signal)
  }
  if (signal.aborted) return
  // Before the screen changes: it would find the folder again and upload it a second time.
  await releaseFolder(import_run_id)
  update(() => ({ state: 'finished' }))
  await refreshReplies([imports.getImport])
}

/** Stops the upload; files that have arrived stay. */
export function stopFolderUpload(): void {
  abortController.abort()
  update(({ import_run_id }) => {
    void releaseFolder(import_run_id)
    return { state: 'stopped' }
  })
}

export const isUploadingFolder = () =>
  ['uploading', 'offline'].includes(useFolderUpload.getState().current?.state ?? '')

type Batch = {
  files: readonly FolderFile[]
  /** By folder; removed when they are sent. */
  pendingCovers: Map<string, FolderFile>
}

async function sendBatch(import_run_id: number, { files, pendingCovers }: Batch, signal: AbortSignal): Promise<void> {
  const hashes = new Map<FolderFile, string>()
  await runInParallel(files, async (item) => {
    const sha256 = await hash(item.file, signal).catch((error) => addFailedFile(item.path, error, signal))
    if (sha256) hashes.set(item, sha256)
    increment('hashedCount')
  })
  const hashed = files.flatMap((item): HashedFile[] => {
    const sha256 = hashes.get(item)
    return sha256 ? [{ ...item, sha256 }] : []
  })
  if (signal.aborted || hashed.length === 0) return
  const input = hashed.map(({ path, file, sha256 }) => ({ path, bytes: file.size, sha256 }))
  const reply = await retryOffline(() => callApi(imports.registerFiles, { import_run_id, files: input }), signal)
  const missing: RegisteredFile[] = []
  for (const [at, { n, state, cover }] of reply.files.entries()) {
    const file = hashed[at]
    if (!file) continue
    if (state === 'missing') missing.push({ ...file, n })
    else increment('existingCount')
    const folder = parentOf(file)
    const picture = state === 'missing' || state === 'uploaded' ? pendingCovers.get(folder) : undefined
    if (!picture || signal.aborted) continue
    pendingCovers.delete(folder)
    await sendCover({ import_run_id, import_file: n, previousHash: cover }, picture, signal)
  }
  await runInParallel(missing, (file) => sendFile(import_run_id, file, signal))
}

const hash = (file: File, signal: AbortSignal) => computeSha256(file, () => undefined, signal)

async function sendSheet(import_run_id: number, { file, path }: FolderFile, signal: AbortSignal): Promise<void> {
  try {
    rejectLarge(file, imports.MAX_SHEET_BYTES, texts.sheetsCanBeUpTo)
    await sendForm(imports.uploadSheet, { import_run_id, path, sheet: file }, signal)
    increment('sheetCount')
  } catch (error) {
    addFailure(path, error, signal)
  }
}

type CoverTarget = {
  import_run_id: number
  /** The number of a file of the folder. */
  import_file: number
  /** SHA-256 of the picture that was sent for the folder before. */
  previousHash: string | null
}

/** The music is imported also without its cover. */
async function sendCover(
  { previousHash, ...target }: CoverTarget,
  { file, path }: FolderFile,
  signal: AbortSignal,
): Promise<void> {
  try {
    rejectLarge(file, corrections.MAX_COVER_BYTES, texts.picturesCanBeUpTo)
    if ((await hash(file, signal)) === previousHash) return
    await sendForm(imports.uploadCover, { ...target, picture: file }, signal)
    increment('coverCount')
  } catch (error) {
    addFailure(path, error, signal)
  }
}

function rejectLarge({ size }: File, maxBytes: number, message: string): void {
  if (size > maxBytes) throw new Error(format(message, { most: maxBytes / 1024 / 1024 }))
}

async function sendForm(call: Endpoint, fields: Record<string, string | number | File>, signal: AbortSignal) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value instanceof File ? value : String(value))
  await retryOffline(() => upload(call, form, () => undefined), signal)
}

async function runInParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const pending = [...items]
  const runLane = async () => {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) await run(next)
  }
  await Promise.all(Array.from({ length: PARALLEL_UPLOADS }, runLane))
}

function addFailure(path: string, error: unknown, signal: AbortSignal): undefined {
  const reason = error instanceof Error ? error.message : texts.uploadFailed
  if (!signal.aborted) update(({ failures }) => ({ failures: [...failures, { path, reason }] }))
}

function addFailedFile(path: string, error: unknown, signal: AbortSignal): undefined {
  if (!signal.aborted) increment('failedCount')
  return addFailure(path, error, signal)
}

/** Retries for as long as there is no connection. */
async function retryOffline<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof OfflineError)) throw error
      await waitForConnection(signal)
      if (signal.aborted) throw error
    }
  }
}

/** If the upload was stopped before or while waiting, its state stays: another upload may be running. */
async function waitForConnection(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  update(() => ({ state: 'offline' }))
  await new Promise<void>((resolve) => {
    const proceed = () => resolve()
    setTimeout(proceed, RETRY_MS)
    addEventListener('online', proceed, { once: true })
    signal.addEventListener('abort', proceed, { once: true })
  })
  if (!signal.aborted) update(() => ({ state: 'uploading' }))
}

async function sendFile(import_run_id: number, registered: RegisteredFile, signal: AbortSignal): Promise<void> {
  const { file, path } = registered
  while (!signal.aborted) {
    const result = await transfer(import_run_id, registered, signal)
    if (result === 'uploaded')
      return update(({ uploadedCount, uploadedBytes }) => ({
        uploadedCount: uploadedCount + 1,
        uploadedBytes: uploadedBytes + file.size,
      }))
    if (result !== 'interrupted') return addFailedFile(path, new Error(result.reason), signal)
    await waitForConnection(signal)
  }
}

type TransferResult = 'uploaded' | 'interrupted' | { reason: string }

async function transfer(
  import_run_id: number,
  { file, sha256, n }: RegisteredFile,
  signal: AbortSignal,
): Promise<TransferResult> {
  const customerId = useSession.getState().profile?.customer_id ?? 0
  return new Promise((resolve) => {
    const interrupt = () => resolve('interrupted')
    let upload: Upload | undefined
    signal.addEventListener('abort', () => void upload?.abort().finally(interrupt), { once: true })
    prepareUpload(
      { file, sha256, customerId, of: { import_run_id, import_file: n } },
      {
        onProgress: () => undefined,
        onRetry: () => undefined,
        onUploaded: () => resolve('uploaded'),
        onRejected: ({ message, code }) =>
          code === 'session_expired' ? interrupt() : resolve({ reason: message ?? texts.theServerRejectedThisFile }),
        onInterrupted: interrupt,
      },
    ).then((ready) => {
      upload = ready
      if (signal.aborted) interrupt()
      else ready.start()
    }, interrupt)
  })
}

addEventListener('beforeunload', (event) => {
  if (isUploadingFolder()) event.preventDefault()
})

// Stops the upload on sign-out, so that another user does not continue it.
useSession.subscribe(({ token, ended }) => {
  if (!token && !ended && isUploadingFolder()) stopFolderUpload()
})
