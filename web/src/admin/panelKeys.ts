import type { KeyboardEvent } from 'react'
import { actionsFor, type RowAction } from './RowMenu.tsx'

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'

/** Open the rows above and below; undefined at the ends of the page. */
export type Neighbours = { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined }

type Options<Row> = Neighbours & {
  row: Row
  actions: readonly RowAction<Row>[]
  /** Handles further keys; returns true if it has. */
  onKey?: (key: string) => boolean
}

/** The keys of a row also work while the focus is in its side panel. j and k open the next and the previous row. */
export const panelKeys =
  <Row>({ row, actions, onPrevious, onNext, onKey }: Options<Row>) =>
  (event: KeyboardEvent) => {
    const { target, key, repeat, ctrlKey, metaKey, altKey, defaultPrevented } = event
    if (defaultPrevented || ctrlKey || metaKey || altKey || (target as Element).matches(TYPING)) return
    const step = { j: onNext, k: onPrevious }[key]
    const action = actionsFor(row, actions).find((each) => each.key === key.toLowerCase())
    if (step) step()
    else if (action && !repeat) action.run(row)
    else if (!onKey?.(key)) return
    event.preventDefault()
  }
