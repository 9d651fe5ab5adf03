import { IconCheck } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { type CellState, cellKey, useCells } from './cellStates.ts'
import css from './SongRow.module.css'
import type { Song } from './songDeeds.ts'
import { MAX_LENGTHS, type TextField } from './songFields.ts'
import * as texts from './texts.ts'
import type { Onwards } from './useSongGrid.ts'

/** A small mark next to a value that shows the state of its save. */
export function StateMark({ state }: { state: CellState | undefined }) {
  if (state?.state === 'saving') return <i className={css.saving} role="img" aria-label={texts.saving} />
  if (state?.state === 'saved') return <IconCheck className={css.saved} size={14} aria-label={texts.saved} />
  return null
}

export const useCell = (song: Pick<Song, 'entity_id'>, what: string): CellState | undefined =>
  useCells(({ cells }) => cells[cellKey(song.entity_id, what)])

/** The text of a cell: what was typed until it is saved, otherwise the stored value. */
export function CellText({ state, children }: { state: CellState | undefined; children: ReactNode }) {
  const typed = state && state.state !== 'saved' && state.typed !== '' ? state.typed : undefined
  return (
    <span className={css.text} title={state?.state === 'refused' ? state.message : undefined}>
      {typed ?? children}
    </span>
  )
}

type EditorProps = {
  field: TextField
  label: string
  text: string
  /** Whether all text is selected, so that typing replaces it. */
  isMarked: boolean
  /** `by`: where the focus moves afterwards, as in a spreadsheet. */
  onSave: (text: string, by: Onwards) => void
  onCancel: () => void
}

/** The input over a cell being edited. */
export function CellEditor({ field, label, text, isMarked, onSave, onCancel }: EditorProps) {
  const input = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useLayoutEffect(() => {
    const own = input.current
    if (!own) return
    own.focus({ preventScroll: true })
    if (isMarked) own.select()
    else own.setSelectionRange(own.value.length, own.value.length)
  }, [isMarked])
  const end = (how: () => void) => {
    if (isOver.current) return
    isOver.current = true
    how()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const { value } = event.currentTarget
    if (event.key === 'Escape') end(onCancel)
    else if (event.key === 'Enter') end(() => onSave(value, event.shiftKey ? 'up' : 'down'))
    else if (event.key === 'Tab') end(() => onSave(value, event.shiftKey ? 'before' : 'next'))
    else return
    event.preventDefault()
  }
  return (
    <input
      ref={input}
      className={css.editor}
      aria-label={label}
      defaultValue={text}
      maxLength={MAX_LENGTHS[field]}
      autoComplete="off"
      onKeyDown={press}
      onBlur={({ currentTarget: { value } }) => end(() => onSave(value, 'stay'))}
    />
  )
}
