import { find, type Sending, useSending } from './sendings.ts'

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

type UnfinishedKey = Pick<Unfinished, 'sha256' | 'name' | 'bytes'>

/** A file without a checksum is identified by its name and size. */
const idOf = ({ sha256, name, bytes }: UnfinishedKey) => `left-${sha256 || `${bytes}-${name}`}`

/** Uploads of an earlier visit that have not been resumed. */
let unfinished: Unfinished[] = []

/** Shows the unfinished uploads of a member's earlier visit above the current ones. */
export function showUnfinished(member: number) {
  unfinished = readUnfinished(member)
  const rows = unfinished.map((file): Sending => {
    const { name, bytes, sent, form, handleId } = file
    const reopening = handleId ? 'opening' : undefined
    return { id: idOf(file), name, bytes, sent, form, reopening, state: 'left', share: 0, why: '' }
  })
  useSending.setState(({ list }) => ({ list: [...rows, ...list.filter(({ state }) => state !== 'left')] }))
}

/**
 * Finds the unfinished upload of the same content, whatever the file is called now, and removes its row. Without a
 * checksum, name and size have to match. Returns the upload that was removed.
 */
export function takeMatchingUnfinished(file: UnfinishedKey): Unfinished | undefined {
  useSending.setState(({ list }) => ({ list: list.filter(({ id }) => id !== idOf(file)) }))
  return takeUnfinished(idOf(file))
}

/** The unfinished uploads of an earlier visit that are still shown, with the ids of their rows. */
export const unfinishedFiles = (): { id: string; file: Unfinished }[] =>
  unfinished.map((file) => ({ id: idOf(file), file })).filter(({ id }) => find(id))

/** Replaces a row of an earlier visit with a current upload. */
export function replaceUnfinished(id: string, sending: Sending) {
  takeUnfinished(id)
  useSending.setState(({ list }) => ({ list: list.map((each) => (each.id === id ? sending : each)) }))
}

/** Removes and returns the upload behind a row of an earlier visit; undefined for any other row. */
export function takeUnfinished(id: string): Unfinished | undefined {
  const dropped = unfinished.find((file) => idOf(file) === id)
  unfinished = unfinished.filter((each) => each !== dropped)
  return dropped
}

/** Uses the form of the row: its song may have been saved since. */
export const withFormId = (file: Unfinished, form: string | undefined): Unfinished => (form ? { ...file, form } : file)

/** Stores the uploads a member has started for a later visit, with those of an earlier one that are still shown. */
export function saveUnfinishedUploads(member: number, startedFiles: Unfinished[]) {
  const previousFiles = unfinishedFiles().map(({ id, file: { form: _, ...file } }) => withFormId(file, find(id)?.form))
  const byId = new Map([...previousFiles, ...startedFiles].map((file) => [idOf(file), file]))
  storeUnfinished(
    member,
    [...startedFiles, ...previousFiles].filter((file) => byId.get(idOf(file)) === file),
  )
}
