import type { StoredHandle } from '../platform/handleStore.ts'
import { READ_ACCESS } from './fileSystemAccess.ts'
import * as texts from './texts.ts'

export type Reopened<Opened> =
  | { state: 'ready'; opened: Opened }
  /** The browser asks the member first, and only after a click. */
  | { state: 'prompt' }
  /** The file has to be chosen again; `why` is a sentence, or '' if there is no further reason. */
  | { state: 'unavailable'; why: string }

type Permissions = Pick<FileSystemHandle, 'queryPermission' | 'requestPermission'>

type StoredFile = Pick<StoredHandle, 'bytes' | 'lastModified'> & {
  handle: Permissions & Pick<FileSystemFileHandle, 'getFile'>
}

const REASONS = {
  file: {
    notAllowed: texts.browserCouldNotReadFile,
    notFound: texts.fileWasMovedOrDeleted,
    notReadable: texts.fileCouldNotBeOpened,
  },
  folder: {
    notAllowed: texts.browserCouldNotReadFolder,
    notFound: texts.folderWasMovedOrDeleted,
    notReadable: texts.folderCouldNotBeOpened,
  },
}

const unavailable = (why: string) => ({ state: 'unavailable', why }) as const

/**
 * Opens a file or folder again by its handle. Within a click `canPrompt` is true: the browser may then ask for
 * permission.
 */
export async function reopen<Opened>(
  { handle, noun }: { handle: Permissions; noun: 'file' | 'folder' },
  canPrompt: boolean,
  open: () => Promise<Reopened<Opened>>,
): Promise<Reopened<Opened>> {
  try {
    const permission = canPrompt
      ? await handle.requestPermission?.(READ_ACCESS)
      : await handle.queryPermission?.(READ_ACCESS)
    if (permission === 'prompt') return { state: 'prompt' }
    if (permission === 'denied') return unavailable(REASONS[noun].notAllowed)
    return permission ? await open() : unavailable('')
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : ''
    // The click was too long ago; the next one asks again.
    if (canPrompt && reason === 'SecurityError') return { state: 'prompt' }
    return unavailable(reason === 'NotFoundError' ? REASONS[noun].notFound : REASONS[noun].notReadable)
  }
}

/** Opens the file of an unfinished upload again if it has not changed. */
export const reopenFile = (stored: StoredFile, canPrompt: boolean): Promise<Reopened<File>> =>
  reopen({ handle: stored.handle, noun: 'file' }, canPrompt, async () => {
    const file = await stored.handle.getFile()
    const isSame = file.size === stored.bytes && file.lastModified === stored.lastModified
    return isSame ? { state: 'ready', opened: file } : unavailable(texts.thisFileHasChangedSince)
  })
