/**
 * A chosen file whose upload is not complete, as stored in this browser. Its SHA-256 is empty until it has been
 * computed: the server does not know the file until then.
 */
export type Unfinished = {
  sha256: string
  name: string
  bytes: number
  sent: number
  /** The id of the stored handle that opens the file again, if the browser provided one. */
  handleId?: string
  /** The form it belongs to. */
  form?: string
  isPaused?: true
}

const keyOf = (customerId: number) => `dubplate.unfinished-uploads.${customerId}`

/** The uploads a member had started when the page was closed. */
export function readUnfinished(customerId: number): Unfinished[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(keyOf(customerId)) ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** Without storage (some private windows) an upload lasts until the page is reloaded. */
export function storeUnfinished(customerId: number, list: Unfinished[]) {
  try {
    if (list.length > 0) localStorage.setItem(keyOf(customerId), JSON.stringify(list))
    else localStorage.removeItem(keyOf(customerId))
  } catch {}
}
