import { find, type Sending, useSending } from './sendings.ts'
import { keepUnfinished, type Unfinished, unfinishedOf } from './unfinished.ts'

const idOf = (sha256: string) => `left-${sha256}`

/** What an earlier visit had begun and nobody has gone on with. */
let left: Unfinished[] = []

/** Shows what an earlier visit of a member had begun, above what is sent now. */
export function showLeft(member: number) {
  left = unfinishedOf(member)
  const rows = left.map(({ sha256, name, bytes, sent }): Sending => {
    return { id: idOf(sha256), name, bytes, sent, state: 'left', share: 0, why: '' }
  })
  useSending.setState(({ list }) => ({ list: [...rows, ...list.filter(({ state }) => state !== 'left')] }))
}

/** The same content as something left behind goes on in its place, whatever the file is called now. */
export function takeUp(sha256: string) {
  useSending.setState(({ list }) => ({ list: list.filter(({ id }) => id !== idOf(sha256)) }))
}

/** Forgets what a row of an earlier visit stood for, and answers with it; undefined for any other row. */
export function dropLeft(id: string): Unfinished | undefined {
  const dropped = left.find(({ sha256 }) => idOf(sha256) === id)
  left = left.filter((each) => each !== dropped)
  return dropped
}

/** Writes down for a later visit what a member has begun, with what an earlier one left and is still shown. */
export function keepBegun(member: number, begun: Unfinished[]) {
  const still = left.filter(({ sha256 }) => find(idOf(sha256)) && begun.every((each) => each.sha256 !== sha256))
  keepUnfinished(member, [...begun, ...still])
}
