import { READ_ACCESS } from './fileSystemAccess.ts'
import type { StoredHandle } from './handleStore.ts'

export type Reopened =
  | { state: 'ready'; file: File }
  /** The browser asks the member first, and only after a click. */
  | { state: 'prompt' }
  /** The file has to be chosen again; `why` is a sentence, '' where there is no more to say than that. */
  | { state: 'unavailable'; why: string }

type Requested = Pick<StoredHandle, 'name' | 'bytes' | 'lastModified'> & {
  handle: Pick<FileSystemFileHandle, 'getFile' | 'queryPermission' | 'requestPermission'>
}

const unavailable = (why: string): Reopened => ({ state: 'unavailable', why })

/** Opens the file of an unfinished upload again. `canAsk` within a click: the browser may then ask for permission. */
export async function reopenFile(stored: Requested | undefined, canAsk: boolean): Promise<Reopened> {
  if (!stored) return unavailable('')
  const { handle, name } = stored
  try {
    const permission = canAsk
      ? await handle.requestPermission?.(READ_ACCESS)
      : await handle.queryPermission?.(READ_ACCESS)
    if (permission === 'prompt') return { state: 'prompt' }
    if (permission === 'denied') return unavailable(`Your browser was not allowed to read “${name}”.`)
    if (permission === undefined) return unavailable('')
    const file = await handle.getFile()
    const isSame = file.size === stored.bytes && file.lastModified === stored.lastModified
    return isSame ? { state: 'ready', file } : unavailable(`“${name}” has changed since the upload started.`)
  } catch (error) {
    const reason = error instanceof DOMException ? error.name : ''
    // The click was too long ago; the next one asks again.
    if (canAsk && reason === 'SecurityError') return { state: 'prompt' }
    return unavailable(
      reason === 'NotFoundError' ? `“${name}” was moved or deleted.` : `“${name}” could not be opened.`,
    )
  }
}
