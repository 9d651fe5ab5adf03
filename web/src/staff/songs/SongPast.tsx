import type { ReplyOf, staffSongs } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import { changedField, editInWords } from './editWords.ts'
import { EditTime, UndoButton } from './RecentEdits.tsx'
import css from './SongDesk.module.css'
import list from './Songs.module.css'
import * as texts from './texts.ts'

type Edits = ReplyOf<typeof staffSongs.getSong>['edits']

/** The edits of a song by staff, value by value, each with an undo button. */
export function SongPast({ edits }: { edits: Edits }) {
  if (edits.length === 0) return <p className={list.note}>{texts.noChangesYet}</p>
  return (
    <ol className={list.editList} aria-label={texts.changeHistory}>
      {edits.map((edit) => (
        <li key={edit.song_edit_id}>
          <div>
            <p>
              <b>{editInWords(edit)}</b> <EditTime at={edit.at} by={edit.by} />
              {edit.songs > 1 && ` · ${format(texts.withOtherSongs, { songs: edit.songs - 1 })}`}
            </p>
            <ul className={css.changes}>
              {edit.changes.map(({ field, before, after }) => (
                <li key={`${field} ${before} ${after}`}>
                  {changedField(field)}: <del>{before || texts.empty}</del> → <ins>{after || texts.empty}</ins>
                </li>
              ))}
            </ul>
          </div>
          <UndoButton edit={edit} />
        </li>
      ))}
    </ol>
  )
}
