type StoredRow = { id: string; handle: { name: string } }

/**
 * The part of IndexedDB that the handle store uses, in memory, for tests. `isFull` makes every write fail;
 * `reviveHandle` creates a handle from what was stored, because structured clone cannot copy functions.
 */
export function testIndexedDb(reviveHandle = (handle: StoredRow['handle']) => handle) {
  const rows = new Map<string, StoredRow>()
  const state = { rows, isFull: false, connections: 0, factory: { open } }

  function open() {
    const request: Record<string, unknown> = { result: database() }
    queueMicrotask(() => {
      state.connections++
      ;(request.onupgradeneeded as () => void)()
      ;(request.onsuccess as () => void)()
    })
    return request
  }

  const database = () => ({
    createObjectStore: () => undefined,
    close: () => state.connections--,
    transaction: (_: string, mode: string) => {
      const transaction: Record<string, unknown> = {
        error: new DOMException('The disk is full.', 'QuotaExceededError'),
        objectStore: () => ({
          put: (row: StoredRow) => change(() => rows.set(row.id, { ...row, handle: { name: row.handle.name } })),
          delete: (id: string) => change(() => rows.delete(id)),
          getAll: () => ({ result: [...rows.values()].map((row) => ({ ...row, handle: reviveHandle(row.handle) })) }),
        }),
      }
      const change = (write: () => void) => {
        if (!state.isFull) write()
        return { result: undefined }
      }
      queueMicrotask(() => {
        const willAbort = state.isFull && mode === 'readwrite'
        ;(transaction[willAbort ? 'onabort' : 'oncomplete'] as () => void)()
      })
      return transaction
    },
  })

  return state
}
