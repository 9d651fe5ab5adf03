import { deleteHandle, readHandles, type StoredHandle, saveHandle } from '../../platform/handleStore.ts'
import { useSession } from '../../platform/session.ts'
import { type Reopened, reopen } from '../../uploads/reopen.ts'
import { lockUpload, unlockUpload } from '../../uploads/uploadLocks.ts'
import { type ChosenFolder, readFolderHandle } from './folderFiles.ts'

/** Handles of folders being uploaded to imports, so that a reload needs no folder picker. */

const idOf = (importId: number) => `import-${importId}`

const customerId = () => useSession.getState().profile?.customer_id ?? 0

export type StoredFolder = StoredHandle & { handle: FileSystemDirectoryHandle }

const isFolder = (stored: StoredHandle): stored is StoredFolder => stored.handle.kind === 'directory'

/**
 * Locks an import for this tab and stores the handle of its folder until `releaseFolder` is called. Without a handle,
 * the stored one is deleted.
 */
export async function storeFolder(
  importId: number,
  { handle, name }: Pick<ChosenFolder, 'handle' | 'name'>,
): Promise<void> {
  void lockFolder(importId)
  if (!handle) return deleteHandle(idOf(importId))
  await saveHandle({ id: idOf(importId), customerId: customerId(), handle, name, bytes: 0, lastModified: 0 })
}

export async function releaseFolder(importId: number): Promise<void> {
  unlockUpload(idOf(importId))
  await deleteHandle(idOf(importId))
}

export const findFolder = async (importId: number): Promise<StoredFolder | undefined> =>
  (await readHandles(customerId())).filter(isFolder).find(({ id }) => id === idOf(importId))

/** Opens a folder again. Set `canPrompt` only within a click: the browser may then ask for permission. */
export const reopenFolder = ({ handle }: StoredFolder, canPrompt: boolean): Promise<Reopened<ChosenFolder>> =>
  reopen({ handle, noun: 'folder' }, canPrompt, async () => ({
    state: 'ready',
    opened: await readFolderHandle(handle),
  }))

/** Locks an import for this tab. Resolves to false when another tab is uploading to it. */
export const lockFolder = (importId: number): Promise<boolean> => lockUpload(idOf(importId))
