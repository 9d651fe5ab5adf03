/** Chromium's additions to the File System standard; other browsers, and pages without HTTPS, do not have them. */
type ReadAccess = { mode: 'read' }

type OpenFilePickerOptions = {
  multiple: boolean
  types: { description: string; accept: Record<`${string}/${string}`, `.${string}`[]> }[]
}

declare global {
  interface Window {
    showOpenFilePicker?(options: OpenFilePickerOptions): Promise<FileSystemFileHandle[]>
    showDirectoryPicker?(options: ReadAccess): Promise<FileSystemDirectoryHandle>
  }
  interface FileSystemHandle {
    queryPermission?(access: ReadAccess): Promise<PermissionState>
    requestPermission?(access: ReadAccess): Promise<PermissionState>
  }
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>
  }
}

export const READ_ACCESS: ReadAccess = { mode: 'read' }

/** A file to upload, with its handle if the browser provides one, which can open the file again after a reload. */
export type FileChoice = { file: File; handle?: FileSystemFileHandle | undefined }

const isFileHandle = (handle: FileSystemHandle | null | undefined): handle is FileSystemFileHandle =>
  handle?.kind === 'file'

const isPickerCancelled = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/**
 * Opens the browser's file picker with handles. Resolves with no files if it is closed; undefined if this browser has
 * no such picker or does not allow it: a file input does the same without handles.
 */
export async function pickFiles(description: string, extensions: readonly string[]): Promise<FileChoice[] | undefined> {
  if (!window.showOpenFilePicker) return undefined
  const accept = { 'audio/*': extensions.map((extension): `.${string}` => `.${extension}`) }
  const handles = await window
    .showOpenFilePicker({ multiple: true, types: [{ description, accept }] })
    .catch((error: unknown) => (isPickerCancelled(error) ? [] : undefined))
  return handles && Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })))
}

/** The same for a folder: undefined if the picker is closed, 'unsupported' if there is none. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | 'unsupported' | undefined> {
  if (!window.showDirectoryPicker) return 'unsupported'
  return window
    .showDirectoryPicker(READ_ACCESS)
    .catch((error: unknown) => (isPickerCancelled(error) ? undefined : 'unsupported'))
}

/** The dropped files in order. The browser provides handles only during the drop event: call it there. */
export async function readDroppedFiles({ files, items }: DataTransfer): Promise<FileChoice[]> {
  const fileItems = [...items].filter(({ kind }) => kind === 'file')
  const handles = fileItems.map((item) => item.getAsFileSystemHandle?.().catch(() => null))
  const chosen = [...files]
  const opened = await Promise.all(handles)
  return chosen.map((file, n) => {
    const handle = opened[n]
    return isFileHandle(handle) && handle.name === file.name ? { file, handle } : { file }
  })
}
