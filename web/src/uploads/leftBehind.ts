import { find, type Sending, useSending } from './sendings.ts'
import { keepUnfinished, type Unfinished, unfinishedOf } from './unfinished.ts'

type File = Pick<Unfinished, 'sha256' | 'name' | 'bytes'>

/** A file that was not measured is known by its name and size. */
const idOf = ({ sha256, name, bytes }: File) => `left-${sha256 || `${bytes}-${name}`}`

/** What an earlier visit had begun and nobody has gone on with. */
let left: Unfinished[] = []

/** Shows what an earlier visit of a member had begun, above what is sent now. */
export function showLeft(member: number) {
  left = unfinishedOf(member)
  const rows = left.map((file): Sending => {
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
export function takeUp(file: File): Unfinished | undefined {
  useSending.setState(({ list }) => ({ list: list.filter(({ id }) => id !== idOf(file)) }))
  return dropLeft(idOf(file))
}

/** What an earlier visit left and is still shown, with the id of its row. */
export const leftFiles = (): { id: string; file: Unfinished }[] =>
  left.map((file) => ({ id: idOf(file), file })).filter(({ id }) => find(id))

/** Puts an upload of this visit in the place of a row of an earlier one. */
export function replaceLeft(id: string, sending: Sending) {
  dropLeft(id)
  useSending.setState(({ list }) => ({ list: list.map((each) => (each.id === id ? sending : each)) }))
}

/** Forgets what a row of an earlier visit stood for, and answers with it; undefined for any other row. */
export function dropLeft(id: string): Unfinished | undefined {
  const dropped = left.find((file) => idOf(file) === id)
  left = left.filter((each) => each !== dropped)
  return dropped
}

/** The row knows which form it is for: its song may have been saved since. */
export const withForm = (file: Unfinished, form: string | undefined): Unfinished => (form ? { ...file, form } : file)

/** Writes down for a later visit what a member has begun, with what an earlier one left and is still shown. */
export function keepBegun(member: number, begun: Unfinished[]) {
  const still = leftFiles().map(({ id, file: { form: _, ...file } }) => withForm(file, find(id)?.form))
  const byId = new Map([...still, ...begun].map((file) => [idOf(file), file]))
  keepUnfinished(
    member,
    [...begun, ...still].filter((file) => byId.get(idOf(file)) === file),
  )
}
