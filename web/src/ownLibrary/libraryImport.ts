import { type InputOf, ownLibrary } from '@dubplate/contract'
import { create } from 'zustand'
import { callApi, OfflineError } from '../platform/api.ts'
import type { FolderFile } from '../platform/folderEntries.ts'
import { queryClient } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import type { ReadLibrary } from './readFiles.ts'
import * as texts from './texts.ts'

type ImportState =
  | { step: 'idle' }
  | { step: 'reading'; fileName: string; progress: number }
  | { step: 'unreadable'; fileName: string; message: string }
  | { step: 'confirming'; library: ReadLibrary }
  /** With an error, it is paused. */
  | { step: 'sending'; name: string; total: number; sent: number; error: Error | undefined }

/** The import of this tab. It continues while the member visits other pages. */
export const useLibraryImport = create<{ current: ImportState }>(() => ({ current: { step: 'idle' } }))

const setState = (current: ImportState) => useLibraryImport.setState({ current })

let abortController = new AbortController()

/** Cancels what is being read or sent. */
function restart(): AbortSignal {
  abortController.abort()
  abortController = new AbortController()
  return abortController.signal
}

/** Reads a library in the browser. It is sent after a confirmation. */
export async function readChosen(loadFiles: () => Promise<FolderFile[]> | FolderFile[]): Promise<void> {
  const signal = restart()
  setState({ step: 'reading', fileName: '', progress: 0 })
  let fileName = ''
  try {
    const files = await loadFiles()
    fileName = nameOf(files)
    const { readFiles } = await import('./readFiles.ts')
    const library = await readFiles(files, {
      signal,
      onProgress: (progress) => signal.aborted || setState({ step: 'reading', fileName, progress }),
    })
    if (!signal.aborted) setState({ step: 'confirming', library })
  } catch (error) {
    if (!signal.aborted) setState({ step: 'unreadable', fileName, message: messageOf(error) })
  }
}

const nameOf = ([first]: FolderFile[]): string => first?.path.split('/')[0] ?? ''

/** A browser's own errors, such as those of a drive that was removed, are not written for members. */
const messageOf = (error: unknown): string =>
  error instanceof Error && error.name === 'UnreadableError' ? error.message : texts.couldntReadTryAgain

type ImportPart = InputOf<typeof ownLibrary.importCollection>

type Sending = Pick<ImportPart, 'name' | 'format'> & {
  total: number
  /** Those that the server does not have yet. */
  parts: Pick<ImportPart, 'offset' | 'entries'>[]
  library_id: number | undefined
}

let sending: Sending | undefined

/** Sends what is needed to match the files of the library, in parts. */
export async function sendLibrary(library: ReadLibrary, name: string): Promise<void> {
  const { importParts } = await import('@dubplate/contract/library-files')
  const { format, entries } = library
  sending = { name, format, total: entries.length, parts: [...importParts(entries)], library_id: undefined }
  await continueSending()
}

/** Sends the parts that the server does not have yet. Without a connection, it continues once the browser is online. */
export async function continueSending(): Promise<void> {
  const signal = restart()
  const current = sending
  if (!current) return
  const { name, total } = current
  const show = (error: Error | undefined) => {
    const sent = Number(current.parts[0]?.offset ?? total)
    setState({ step: 'sending', name, total, sent, error })
  }
  show(undefined)
  try {
    while (current.parts.length > 0) {
      await sendPart(current, signal)
      show(undefined)
    }
    sending = undefined
    setState({ step: 'idle' })
    void queryClient.invalidateQueries({ queryKey: [ownLibrary.getLibraries.path] })
  } catch (error) {
    if (signal.aborted) return
    show(error as Error)
    if (error instanceof OfflineError) addEventListener('online', () => void continueSending(), { once: true, signal })
  }
}

async function sendPart(current: Sending, signal: AbortSignal): Promise<void> {
  const { name, format, total, library_id, parts } = current
  const [part] = parts
  if (!part) return
  const reply = await callApi(ownLibrary.importCollection, { library_id, name, format, total, ...part }, { signal })
  current.library_id = reply.import.library_id
  parts.shift()
}

/** Stops reading or sending, and deletes what was sent. */
export async function cancelImport(): Promise<void> {
  restart()
  const library_id = sending?.library_id
  sending = undefined
  setState({ step: 'idle' })
  if (library_id === undefined) return
  // The server deletes an unfinished import after a day.
  await callApi(ownLibrary.removeCollection, { library_id }).catch(() => undefined)
  void queryClient.invalidateQueries({ queryKey: [ownLibrary.getLibraries.path] })
}

/** The id of the import that this tab sends; other unfinished ones were abandoned. */
export const sendingLibraryId = (): number | undefined => sending?.library_id

// The library of one member must not be sent for another.
useSession.subscribe((now, before) => {
  if (now.token === before.token || now.token !== null) return
  restart()
  sending = undefined
  setState({ step: 'idle' })
})
