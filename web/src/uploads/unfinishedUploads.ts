import { find, type Sending, useSending } from './sendings.ts'
import { readUnfinished, storeUnfinished, type Unfinished } from './unfinished.ts'

type UnfinishedKey = Pick<Unfinished, 'sha256' | 'name' | 'bytes'>

/** A file that was not measured is known by its name and size. */
const idOf = ({ sha256, name, bytes }: UnfinishedKey) => `left-${sha256 || `${bytes}-${name}`}`

/** What an earlier visit had begun and nobody has gone on with. */
let unfinished: Unfinished[] = []

/** Shows what an earlier visit of a member had begun, above what is sent now. */
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
 * The same content as something left behind goes on in its place, whatever the file is called now. One that was not
 * measured is replaced by a file of its name and size. Returns what was replaced.
 */
export function takeMatchingUnfinished(file: UnfinishedKey): Unfinished | undefined {
  useSending.setState(({ list }) => ({ list: list.filter(({ id }) => id !== idOf(file)) }))
  return takeUnfinished(idOf(file))
}

/** What an earlier visit left and is still shown, with the id of its row. */
export const unfinishedFiles = (): { id: string; file: Unfinished }[] =>
  unfinished.map((file) => ({ id: idOf(file), file })).filter(({ id }) => find(id))

/** Puts an upload of this visit in the place of a row of an earlier one. */
export function replaceUnfinished(id: string, sending: Sending) {
  takeUnfinished(id)
  useSending.setState(({ list }) => ({ list: list.map((each) => (each.id === id ? sending : each)) }))
}

/** Forgets what a row of an earlier visit stood for, and answers with it; undefined for any other row. */
export function takeUnfinished(id: string): Unfinished | undefined {
  const dropped = unfinished.find((file) => idOf(file) === id)
  unfinished = unfinished.filter((each) => each !== dropped)
  return dropped
}

/** The row knows which form it is for: its song may have been saved since. */
export const withFormId = (file: Unfinished, form: string | undefined): Unfinished => (form ? { ...file, form } : file)

/** Writes down for a later visit what a member has begun, with what an earlier one left and is still shown. */
export function saveUnfinishedUploads(member: number, startedFiles: Unfinished[]) {
  const previousFiles = unfinishedFiles().map(({ id, file: { form: _, ...file } }) => withFormId(file, find(id)?.form))
  const byId = new Map([...previousFiles, ...startedFiles].map((file) => [idOf(file), file]))
  storeUnfinished(
    member,
    [...startedFiles, ...previousFiles].filter((file) => byId.get(idOf(file)) === file),
  )
}
