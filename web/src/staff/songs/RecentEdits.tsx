import { staffSongs } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatExactDate } from '../../platform/format.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { describeEdit, describeFields } from './editTexts.ts'
import css from './Songs.module.css'
import { undoEdit } from './songDeeds.ts'
import * as texts from './texts.ts'

/** Recent edits by staff, each with an undo button. */
export function RecentEdits() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={css.edits} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.recentEdits}</summary>
      {isOpen && <Edits />}
    </details>
  )
}

function Edits() {
  const [mine, setMine] = useState(false)
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useApiQuery(staffSongs.getEdits, { mine, page }, { keepPrevious: true })
  if (!data)
    return error ? (
      <InlineError error={error} subject={texts.recentEditsInSentence} retry={() => void refetch()} />
    ) : (
      <p className={css.note}>{texts.loading}</p>
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
        {texts.onlyMine}
      </label>
      {data.edits.length === 0 && <p className={css.note}>{texts.noEditsYet}</p>}
      <ol className={css.editList} aria-label={texts.edits}>
        {data.edits.map((edit) => (
          <Edit key={edit.song_edit_id} edit={edit} />
        ))}
      </ol>
      {totalCount > perPageLimit && (
        <div className={css.turn}>
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            {texts.newer}
          </Button>
          <Button disabled={page * perPageLimit >= totalCount} onClick={() => setPage(page + 1)}>
            {texts.older}
          </Button>
        </div>
      )}
    </>
  )
}

function Edit({ edit }: { edit: staffSongs.SongEdit }) {
  const { example, songs, at } = edit
  const link = (inside: ReactNode) => (
    <Link to="/staff/songs/$entityId" params={{ entityId: example.entity_id }}>
      {inside}
    </Link>
  )
  return (
    <li>
      <div>
        <p>
          <b>{describeEdit(edit)}</b> {describeFields(edit)}
        </p>
        <p>
          {songs > 1
            ? rich(texts.songAndOthers, { artist: example.artist, title: example.title, others: songs - 1, link })
            : link(format(texts.artistAndTitle, { artist: example.artist, title: example.title }))}
        </p>
        <p>
          <EditTime at={at} by={edit.by} />
        </p>
      </div>
      <UndoButton edit={edit} />
    </li>
  )
}

export function UndoButton({
  edit,
}: {
  edit: Pick<staffSongs.SongEdit, 'song_edit_id' | 'undone' | 'songs' | 'kind'>
}) {
  const [isBusy, setBusy] = useState(false)
  const { song_edit_id, undone, songs, kind } = edit
  if (undone >= songs) return <span className={css.note}>{texts.undone}</span>
  const undo = async () => {
    setBusy(true)
    await undoEdit(song_edit_id)
    setBusy(false)
  }
  return (
    <Button busy={isBusy} onClick={() => void undo()}>
      {kind === 'undone'
        ? texts.redo
        : undone > 0
          ? format(texts.undoRemainingSongs, { songs: songs - undone })
          : texts.undo}
    </Button>
  )
}

/** The time and author of an edit. */
export function EditTime({ at, by }: Pick<staffSongs.SongEdit, 'at' | 'by'>) {
  const now = useCurrentMinute()
  const values = {
    ago: formatTimeAgo(at, now),
    time: (inside: ReactNode) => (
      <time dateTime={at} title={formatExactDate(at)}>
        {inside}
      </time>
    ),
  }
  return by ? rich(texts.editedAgoBy, { ...values, by }) : rich(texts.editedAgo, values)
}
