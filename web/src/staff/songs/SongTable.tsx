import { Fragment, useRef } from 'react'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { COLUMN_NAMES, COLUMNS, type Column } from './columns.ts'
import { SongRow } from './SongRow.tsx'
import css from './SongTable.module.css'
import { SongVersions } from './SongVersions.tsx'
import { select, useSelection } from './selection.ts'
import type { Song } from './songDeeds.ts'
import * as texts from './texts.ts'
import { useSongGrid } from './useSongGrid.ts'
import { useUndoKeys } from './useUndoKeys.ts'

const GenreDialog = lazyOnDemand(() => import('./GenreDialog.tsx').then(({ GenreDialog }) => GenreDialog))

/**
 * Songs edited in place, as in a spreadsheet: arrows move between cells; Enter, F2 or typing edits; Escape cancels;
 * Space, and Shift with an arrow, select rows.
 */
export function SongTable({ songs, isBusy }: { songs: readonly Song[]; isBusy: boolean }) {
  const table = useRef<HTMLTableElement>(null)
  const selected = useSelection((selection) => selection.songs)
  const { active, editing, open, genresOf, closeGenres, onSave, onCancel, handlers } = useSongGrid(songs, table)
  useUndoKeys()
  const isActiveHere = songs.some(({ entity_id }) => entity_id === active?.entity_id)
  return (
    <div className={css.scroll} aria-busy={isBusy || undefined}>
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table in which cells are edited is a grid
        role="grid"
        aria-label={texts.songs}
        aria-multiselectable
        aria-rowcount={songs.length + 1}
        aria-colcount={COLUMNS.length}
        className={css.table}
        {...handlers}
      >
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" data-column={column}>
                <Heading column={column} songs={songs} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {songs.map((song, row) => (
            <Fragment key={song.entity_id}>
              <SongRow
                {...{ song, row, onSave, onCancel }}
                isSelected={selected.has(song.entity_id)}
                activeCol={activeColOf(song, row, isActiveHere ? active : undefined)}
                editing={editing?.entity_id === song.entity_id ? editing.editing : undefined}
                isOpen={open === song.entity_id}
              />
              {open === song.entity_id && <Below song={song} />}
            </Fragment>
          ))}
        </tbody>
      </table>
      {genresOf && <GenreDialog song={genresOf} onClose={closeGenres} />}
    </div>
  )
}

/** Tab reaches one cell of the table: the last focused one, or the first title. */
function activeColOf(song: Song, row: number, active: { entity_id: number; col: number } | undefined) {
  if (!active) return row === 0 ? COLUMNS.indexOf('title') : undefined
  return active.entity_id === song.entity_id ? active.col : undefined
}

function Heading({ column, songs }: { column: Column; songs: readonly Song[] }) {
  if (column === 'select') return <SelectPage songs={songs} />
  return <span className={column === 'open' ? 'sr' : undefined}>{COLUMN_NAMES[column]}</span>
}

/** The versions of an open row. */
const Below = ({ song }: { song: Song }) => (
  <tr className={css.below}>
    <td colSpan={COLUMNS.length}>
      <div className={css.inside}>
        <SongVersions song={song} />
      </div>
    </td>
  </tr>
)

/** Selects all songs of the page, or none. */
function SelectPage({ songs }: { songs: readonly Song[] }) {
  const selected = useSelection((selection) => selection.songs)
  const on = songs.filter(({ entity_id }) => selected.has(entity_id)).length
  return (
    <input
      type="checkbox"
      aria-label={texts.selectAllSongsOnThis}
      checked={on > 0 && on === songs.length}
      ref={(box) => {
        if (box) box.indeterminate = on > 0 && on < songs.length
      }}
      onChange={({ currentTarget }) => select(songs, currentTarget.checked)}
    />
  )
}
