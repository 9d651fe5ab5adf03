import { songsDesk } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ago, useMinute } from '../../platform/ago.ts'
import { exactDate, plural } from '../../platform/format.ts'
import { useAsk } from '../../platform/queries.ts'
import { TroubleLine } from '../../platform/TroubleLine.tsx'
import { Button } from '../../ui/Button.tsx'
import { editInWords, fieldsInWords } from './editWords.ts'
import css from './Songs.module.css'
import { undoEdit } from './songDeeds.ts'

/** What staff changed lately, each to be undone. */
export function RecentEdits() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.edits} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Recent edits</summary>
      {isOpen && <Edits />}
    </details>
  )
}

function Edits() {
  const [mine, setMine] = useState(false)
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useAsk(songsDesk.getEdits, { mine, page }, { keepPrevious: true })
  if (!data)
    return error ? (
      <TroubleLine error={error} what="recent edits" retry={() => void refetch()} />
    ) : (
      <p className={css.note}>Loading…</p>
    )
  const { totalCount, perPageLimit } = data.pagination
  return (
    <>
      <label className={css.mine}>
        <input
          type="checkbox"
          checked={mine}
          onChange={({ currentTarget }) => {
            setMine(currentTarget.checked)
            setPage(1)
          }}
        />
        Only mine
      </label>
      {data.edits.length === 0 && <p className={css.note}>No edits yet</p>}
      <ol className={css.editList} aria-label="Edits">
        {data.edits.map((edit) => (
          <Edit key={edit.song_edit_id} edit={edit} />
        ))}
      </ol>
      {totalCount > perPageLimit && (
        <div className={css.turn}>
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <Button disabled={page * perPageLimit >= totalCount} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </>
  )
}

function Edit({ edit }: { edit: songsDesk.SongEdit }) {
  const { example, songs, at } = edit
  const now = useMinute()
  return (
    <li>
      <div>
        <p>
          <b>{editInWords(edit)}</b> {fieldsInWords(edit)}
        </p>
        <p>
          <Link to="/staff/songs/$entityId" params={{ entityId: example.entity_id }}>
            {example.artist} – {example.title}
          </Link>
          {songs > 1 && ` and ${plural(songs - 1, 'other song')}`}
        </p>
        <p>
          <time dateTime={at} title={exactDate(at)}>
            {ago(at, now)}
          </time>
          {edit.by && ` by ${edit.by}`}
        </p>
      </div>
      <UndoButton edit={edit} />
    </li>
  )
}

export function UndoButton({ edit }: { edit: Pick<songsDesk.SongEdit, 'song_edit_id' | 'undone' | 'songs' | 'kind'> }) {
  const [isBusy, setBusy] = useState(false)
  const { song_edit_id, undone, songs, kind } = edit
  if (undone >= songs) return <span className={css.note}>Undone</span>
  const undo = async () => {
    setBusy(true)
    await undoEdit(song_edit_id)
    setBusy(false)
  }
  return (
    <Button busy={isBusy} onClick={() => void undo()}>
      {kind === 'undone' ? 'Redo' : undone > 0 ? `Undo remaining ${plural(songs - undone, 'song')}` : 'Undo'}
    </Button>
  )
}
