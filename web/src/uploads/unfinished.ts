/**
 * A file that was chosen and has not arrived, as this browser remembers it. Its SHA-256 is empty while it has not been
 * measured: the server knows nothing of it then.
 */
export type Unfinished = {
  sha256: string
  name: string
  bytes: number
  sent: number
  /** Of the stored handle that opens the file again, where the browser gave one. */
  handleId?: string
  /** The form it is for. */
  form?: string
  isPaused?: true
}

const keyOf = (customerId: number) => `dubplate.unfinished-uploads.${customerId}`

/** What a member had begun to send when the page went away. */
export function readUnfinished(customerId: number): Unfinished[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(keyOf(customerId)) ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** Without storage (some private windows) an upload lasts as long as the page. */
export function storeUnfinished(customerId: number, list: Unfinished[]) {
  try {
    if (list.length > 0) localStorage.setItem(keyOf(customerId), JSON.stringify(list))
    else localStorage.removeItem(keyOf(customerId))
  } catch {}
}
