/**
 * A file of an unfinished upload, as it was when the upload started, with the handle that opens it again; or a folder
 * of an import, without size and date.
 */
export type StoredHandle = {
  id: string
  customerId: number
  handle: FileSystemHandle
  name: string
  bytes: number
  /** In milliseconds, as reported by the file system. */
  lastModified: number
  storedAt: number
}

const DATABASE = 'dubplate.uploads'
const STORE = 'handles'
/** The server deletes an incomplete upload after three days. */
const HANDLE_TTL_MS = 3 * 24 * 3600 * 1000

const openDatabase = () =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

/**
 * Runs one transaction. Undefined if there is no IndexedDB or it fails (some private windows, a full disk): then the
 * file has to be chosen again after a reload, which is not an error.
 */
async function runInStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const database = await openDatabase()
    try {
      return await new Promise<T>((resolve, reject) => {
        const transaction = database.transaction(STORE, mode)
        const request = work(transaction.objectStore(STORE))
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error)
      })
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

const readAll = async (): Promise<StoredHandle[]> => (await runInStore('readonly', (store) => store.getAll())) ?? []

export async function saveHandle(stored: Omit<StoredHandle, 'storedAt'>): Promise<void> {
  await runInStore('readwrite', (store) => store.put({ ...stored, storedAt: Date.now() }))
}

export async function deleteHandle(id: string): Promise<void> {
  await runInStore('readwrite', (store) => store.delete(id))
}

/** Deletes the handles of one member, or of everyone who used this browser. */
export async function deleteHandles(customerId?: number): Promise<void> {
  for (const stored of await readAll())
    if (customerId === undefined || stored.customerId === customerId) await deleteHandle(stored.id)
}

/** The handles of a member. Expired ones are deleted, whichever member they belong to. */
export async function readHandles(customerId: number): Promise<StoredHandle[]> {
  const all = await readAll()
  const isExpired = ({ storedAt }: StoredHandle) => Date.now() - storedAt > HANDLE_TTL_MS
  for (const { id } of all.filter(isExpired)) await deleteHandle(id)
  return all.filter((stored) => stored.customerId === customerId && !isExpired(stored))
}
