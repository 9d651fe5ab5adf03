import { IconCheck } from '@tabler/icons-react'
import { useLayoutEffect, useRef } from 'react'
import type { GridCellProps } from '../../admin/useTableGrid.ts'
import { format } from '../../format/message.ts'
import { CoverImage } from './CoverImage.tsx'
import { type CellState, cellKey, type Editing, finishEditing, useCells } from './cellStates.ts'
import css from './SongCell.module.css'
import type { Song } from './songActions.ts'
import { FIELD_NAMES, isTextField, MAX_LENGTHS, type TextField } from './songFields.ts'
import * as texts from './texts.ts'

/** A small mark next to a value that shows the state of its save. */
function StateMark({ state }: { state: CellState | undefined }) {
  if (state?.state === 'saving') return <i className={css.saving} role="img" aria-label={texts.saving} />
  if (state?.state === 'saved') return <IconCheck className={css.saved} size={14} aria-label={texts.saved} />
  return null
}

const useCell = (song: Pick<Song, 'entity_id'>, what: string): CellState | undefined =>
  useCells(({ cells }) => cells[cellKey(song.entity_id, what)])

/** A cell of the songs table: its value, what was typed until it is saved, or the input in which it is edited. */
export function SongCell({ row: song, column, cell }: GridCellProps<Song>) {
  const state = useCell(song, column.id)
  const editing = useCells(({ editing }) =>
    editing?.entity_id === song.entity_id && editing.column === column.id ? editing : undefined,
  )
  const isRefused = state?.state === 'refused'
  const reasonId = `reason-${song.entity_id}-${column.id}`
  const typed = state && state.state !== 'saved' && state.typed !== '' ? state.typed : undefined
  return (
    <td
      {...cell}
      className={css.cell}
      data-state={state?.state}
      aria-invalid={isRefused || undefined}
      aria-describedby={isRefused ? reasonId : undefined}
    >
      {column.id === 'title' && <CoverImage song={song} size_px={30} />}
      <span className={css.text}>{typed ?? (column.cell(song) || <i>–</i>)}</span>
      {editing && isTextField(column.id) ? (
        <CellEditor song={song} field={column.id} editing={editing} />
      ) : (
        <StateMark state={state} />
      )}
      {isRefused && (
        <span id={reasonId} className={css.reason} role="alert">
          {state.message}
        </span>
      )}
    </td>
  )
}

type EditorProps = { song: Song; field: TextField; editing: Editing }

/** The input over a cell. The table handles Enter, Tab and Escape. */
function CellEditor({ song, field, editing: { text, isReplacing } }: EditorProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    input.current?.focus({ preventScroll: true })
    if (!isReplacing) input.current?.select()
  }, [isReplacing])
  return (
    <input
      ref={input}
      className={css.editor}
      aria-label={format(texts.forLabel, { field: FIELD_NAMES[field], title: song.title })}
      defaultValue={text}
      maxLength={MAX_LENGTHS[field]}
      autoComplete="off"
      onBlur={({ currentTarget }) => {
        // Enter, Tab or Escape have already ended it.
        if (useCells.getState().editing) finishEditing(song, field, currentTarget.value)
      }}
    />
  )
}
