import { useSession } from '../../platform/session.ts'
import { deleteHandle, readHandles, type StoredHandle, saveHandle } from '../../uploads/handleStore.ts'
import { type Reopened, reopen } from '../../uploads/reopen.ts'
import { lockUpload, unlockUpload } from '../../uploads/uploadLocks.ts'
import { type ChosenFolder, folderIn } from './folderFiles.ts'

/** Handles of folders being uploaded to imports, so that a reload needs no folder picker. */

const idOf = (runId: number) => `import-${runId}`

const customerId = () => useSession.getState().profile?.customer_id ?? 0

type StoredFolder = StoredHandle & { handle: FileSystemDirectoryHandle }

const isFolder = (stored: StoredHandle): stored is StoredFolder => stored.handle.kind === 'directory'

/** Stores the handle of a folder until `forgetFolder` is called. Without a handle, the stored one is deleted. */
export async function keepFolder(
  runId: number,
  { handle, name }: Pick<ChosenFolder, 'handle' | 'name'>,
): Promise<void> {
  void lockUpload(idOf(runId))
  if (!handle) return deleteHandle(idOf(runId))
  await saveHandle({ id: idOf(runId), customerId: customerId(), handle, name, bytes: 0, lastModified: 0 })
}

export async function forgetFolder(runId: number): Promise<void> {
  unlockUpload(idOf(runId))
  await deleteHandle(idOf(runId))
}

export const findFolder = async (runId: number): Promise<StoredFolder | undefined> =>
  (await readHandles(customerId())).filter(isFolder).find(({ id }) => id === idOf(runId))

/** Opens a folder again. Set `canAsk` only within a click: the browser may then ask for permission. */
export const reopenFolder = (stored: StoredFolder, canAsk: boolean): Promise<Reopened<ChosenFolder>> =>
  reopen({ handle: stored.handle, noun: 'folder' }, canAsk, async () => ({
    state: 'ready',
    opened: await folderIn(stored.handle),
  }))

/** Locks an import for this tab. Resolves to false when another tab is uploading to it. */
export const lockFolder = (runId: number): Promise<boolean> => lockUpload(idOf(runId))
