import { IconArrowUpRight, IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { formatList } from '../../platform/formatList.ts'
import { format } from '../../platform/message.ts'
import { usePreferences } from '../../platform/preferences.ts'
import { COLUMNS, type Column } from './columns.ts'
import { CellEditor, CellText, StateMark, useCell } from './SongCell.tsx'
import css from './SongRow.module.css'
import type { Song } from './songDeeds.ts'
import { displayValue, FIELD_NAMES, type Field, isTextField } from './songFields.ts'
import * as texts from './texts.ts'
import type { Editing, Onwards } from './useSongGrid.ts'

type Props = {
  song: Song
  row: number
  isSelected: boolean
  /** Its column, when it contains the one cell of the table that Tab reaches. */
  activeCol: number | undefined
  editing: Editing | undefined
  isOpen: boolean
  onSave: (song: Song, column: Column, text: string, by: Onwards) => void
  onCancel: (song: Song, column: Column) => void
}

/** One row of the table. The table handles its keys and clicks. */
export const SongRow = memo(function SongRow(props: Props) {
  const { song, row, isSelected, activeCol, editing, isOpen, onSave, onCancel } = props
  return (
    <tr
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      className={css.row}
      data-song={song.entity_id}
      data-status={song.status}
    >
      {COLUMNS.map((column, col) => (
        <Cell
          key={column}
          {...{ song, column, col }}
          isActive={activeCol === col}
          editing={editing?.column === column ? editing : undefined}
          isOpen={isOpen}
          isSelected={isSelected}
          onSave={onSave}
          onCancel={onCancel}
        />
      ))}
    </tr>
  )
})

type CellProps = Pick<Props, 'song' | 'editing' | 'isOpen' | 'isSelected' | 'onSave' | 'onCancel'> & {
  column: Column
  col: number
  isActive: boolean
}

function Cell({ song, column, col, isActive, editing, isOpen, isSelected, onSave, onCancel }: CellProps) {
  const state = useCell(song, column)
  const whyId = `why-${song.entity_id}-${column}`
  const isRefused = state?.state === 'refused'
  return (
    <td
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a focusable cell belongs to a grid
      role="gridcell"
      aria-colindex={col + 1}
      tabIndex={editing ? undefined : isActive ? 0 : -1}
      className={css.cell}
      data-column={column}
      data-state={state?.state}
      aria-invalid={isRefused || undefined}
      aria-describedby={isRefused ? whyId : undefined}
      aria-expanded={column === 'versions' ? isOpen : undefined}
    >
      {editing && isTextField(column) ? (
        <CellEditor
          field={column}
          label={format(texts.forLabel, { field: FIELD_NAMES[column], title: song.title })}
          text={editing.text}
          isMarked={editing.isMarked}
          onSave={(text, by) => onSave(song, column, text, by)}
          onCancel={() => onCancel(song, column)}
        />
      ) : (
        <Shown song={song} column={column} isOpen={isOpen} isSelected={isSelected} />
      )}
      {!editing && <StateMark state={state} />}
      {isRefused && (
        <span id={whyId} className={css.why} role="alert">
          {state.message}
        </span>
      )}
    </td>
  )
}

type ShownProps = Pick<CellProps, 'song' | 'column' | 'isOpen' | 'isSelected'>

function Shown({ song, column, isOpen, isSelected }: ShownProps): ReactNode {
  if (column === 'select')
    return (
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isSelected}
        readOnly
        aria-label={format(texts.selectSongLabel, { title: song.title })}
      />
    )
  if (column === 'open')
    return (
      <Link
        to="/staff/songs/$entityId"
        params={{ entityId: song.entity_id }}
        tabIndex={-1}
        className={css.open}
        aria-label={format(texts.openLabel, { title: song.title })}
        title={format(texts.songNumber, { entity_id: song.entity_id })}
      >
        <IconArrowUpRight size={16} aria-hidden />
      </Link>
    )
  if (column === 'versions') return <Versions song={song} isOpen={isOpen} />
  if (column === 'status')
    return (
      <span className={css.status} data-status={song.status}>
        {STATUS_NAMES[song.status]}
      </span>
    )
  return <Value song={song} field={column} />
}

const STATUS_NAMES: Record<Song['status'], string> = {
  published: texts.published,
  unpublished: texts.unpublished,
  draft: texts.draft,
}

function Value({ song, field }: { song: Song; field: Field }) {
  const state = useCell(song, field)
  const notation = usePreferences((preferences) => preferences.notation)
  const shown = displayValue(song, field, notation)
  return (
    <>
      {field === 'title' && <Cover image={song.image} />}
      <CellText state={state}>
        {field === 'song_key' && song.song_key ? <KeyBadge songKey={song.song_key} /> : shown || <i>–</i>}
      </CellText>
    </>
  )
}

/** The generated cover of an unpublished song cannot be loaded. */
const Cover = ({ image }: { image: string }) => (
  <img
    src={image.replace(/320\.webp$/, '96.webp')}
    alt=""
    width={28}
    height={28}
    loading="lazy"
    onError={({ currentTarget }) => {
      currentTarget.style.visibility = 'hidden'
    }}
  />
)

function Versions({ song: { versions, title }, isOpen }: Pick<ShownProps, 'song' | 'isOpen'>) {
  const shown = versions.filter(({ status }) => status !== 'unpublished')
  const gone = versions.length - shown.length
  const labels = formatList(shown.map(({ version_label }) => version_label))
  return (
    <button
      type="button"
      tabIndex={-1}
      className={css.versions}
      aria-label={format(texts.versionsOf, { title })}
      title={labels}
    >
      <span className={css.text}>
        {labels || texts.none}
        {gone > 0 && ` · ${format(texts.versionsUnpublished, { gone })}`}
      </span>
      <IconChevronDown size={14} aria-hidden data-open={isOpen || undefined} />
    </button>
  )
}
