import { curation } from '@dubplate/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { useProfile } from '../../membership/useProfile.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { Complaint } from '../forms/Complaint.tsx'
import forms from '../forms/Forms.module.css'
import { Theirs } from '../forms/Theirs.tsx'
import { useEntry } from '../forms/useEntry.ts'
import lists from '../Lists.module.css'
import composer from './Composer.module.css'
import { CoverChoice } from './CoverChoice.tsx'
import { FromCharts } from './FromCharts.tsx'
import css from './ListEdit.module.css'
import { ListFields } from './ListFields.tsx'
import {
  entryOf,
  KIND_WORDS,
  type Kind,
  type ListEntry,
  limitOf,
  missingSongs,
  missingWords,
  newEntry,
  STATE_NAMES,
  stateInWords,
  wishOf,
  wrongEntry,
} from './listEntry.ts'
import { songIdsIn } from './order.ts'
import { PasteSongs } from './PasteSongs.tsx'
import { draftNameOf, readAgain, saveList } from './programme.ts'
import { SongFinder } from './SongFinder.tsx'
import { SongOrder } from './SongOrder.tsx'
import * as texts from './texts.ts'
import { useOrder } from './useOrder.ts'

type WholeList = curation.ListDetails

/** The editor of one list, by its id, or of a new one. */
export function ListEdit({ kind, listId }: { kind: Kind; listId: number | undefined }) {
  const input = { kind, list_id: listId ?? 0 }
  const { data, error, refetch } = useApiQuery(curation.getList, input, { enabled: listId !== undefined })
  const { profile } = useProfile()
  if (listId === undefined) {
    return profile ? <Edit kind={kind} list={undefined} first={newEntry(profile.dj_name)} /> : <ToCome />
  }
  if (error && !data) return <ErrorState error={error} subject={KIND_WORDS[kind].one} retry={() => void refetch()} />
  if (!data) return <ToCome />
  return <Edit key={listId} kind={kind} list={data.list} first={entryOf(data.list)} />
}

const ToCome = () => (
  <div className={`${lists.bone} ${lists.tall}`} aria-busy role="status" aria-label={texts.loading} />
)

type Props = { kind: Kind; list: WholeList | undefined; first: ListEntry }

/** Edits a list: its title, its dates, and its songs with search and order. */
function Edit({ kind, list, first }: Props) {
  const navigate = useNavigate({ from: '/staff/programming' })
  const entry = useEntry<ListEntry, WholeList>({
    draftName: draftNameOf(kind, list?.list_id),
    first,
    wrongOf: (typed) => wrongEntry(kind, typed, list),
    namesInForm: { published_at: 'from', ended_at: 'until', entity_ids: 'songs' },
    send: (typed) => saveList(wishOf(kind, typed, list)),
    onSaved: (saved, reset) => {
      if (list) return reset(entryOf(saved))
      void navigate({ search: (was) => ({ ...was, open: String(saved.list_id) }), replace: true })
    },
    meanwhile: list && { read: () => readAgain(kind, list.list_id), entryOf },
  })
  const { typed, isTouched, wrong, write, reset, theirs } = entry
  const order = useOrder(typed.entity_ids, (entity_ids) => write({ entity_ids }), limitOf(kind))
  const paste = (text: string) => order.putByIds(songIdsIn(text))
  const missing = missingSongs(kind, typed)
  return (
    <form ref={entry.form} noValidate className={`${forms.form} ${css.edit}`} onSubmit={entry.submit}>
      <div className={css.head}>
        <h2>
          {list ? list.title : KIND_WORDS[kind].create}
          {list && <small data-state={list.state}>{STATE_NAMES[list.state]}</small>}
        </h2>
        <Does
          kind={kind}
          list={list}
          typed={typed}
          isBusy={entry.isBusy}
          isTouched={isTouched}
          onDiscard={() => reset(list ? entryOf(list) : newEntry(first.created_by))}
        />
      </div>
      <Complaint of={entry.complaint} />
      {theirs && (
        <Theirs entry={entry}>
          <ListStanding list={theirs} />
        </Theirs>
      )}
      <div className={css.about}>
        <CoverChoice typed={typed} onChange={write} />
        <ListFields kind={kind} list={list} typed={typed} wrong={wrong} onChange={write} />
      </div>
      {kind === 'top20' && (
        <FromCharts
          onFill={(songs, message, month) => {
            order.fill(songs, message)
            if (typed.title.trim() === '') write({ title: month, entity_ids: songs.map(({ entity_id }) => entity_id) })
          }}
        />
      )}
      <div className={composer.sides}>
        <SongFinder
          deed="add"
          chosen={new Set(typed.entity_ids)}
          onChoose={(song) => order.put([song])}
          onPaste={(text) => void paste(text)}
        >
          <PasteSongs onPaste={paste} />
        </SongFinder>
        <SongOrder
          ids={typed.entity_ids}
          order={order}
          note={missing > 0 ? missingWords(kind, missing) : ''}
          wrong={wrong.songs}
        />
      </div>
    </form>
  )
}

type DoesProps = {
  kind: Kind
  list: WholeList | undefined
  typed: ListEntry
  isBusy: boolean
  isTouched: boolean
  onDiscard: () => void
}

const SAVES = { unchanged: texts.save, draft: texts.save, now: texts.publish, at: texts.schedule }

const Does = ({ kind, list, typed, isBusy, isTouched, onDiscard }: DoesProps) => (
  <div className={forms.actions}>
    <Button type="submit" variant="primary" busy={isBusy}>
      {SAVES[typed.publication]}
    </Button>
    <Link
      to="/staff/programming/preview"
      search={{ kind, open: list ? String(list.list_id) : 'new' }}
      className={button.button}
    >
      {texts.preview}
    </Link>
    {isTouched && <Button onClick={onDiscard}>{texts.discardChanges}</Button>}
    <Link from="/staff/programming" to="." search={(was) => ({ ...was, open: undefined })} className={button.button}>
      {texts.close}
    </Link>
  </div>
)

/** A summary of the version that someone else has saved in the meantime. */
const ListStanding = ({ list }: { list: WholeList }) => (
  <>
    <p>{texts.someoneElseChangedThisWhile}</p>
    <p>
      <b>{list.title}</b> · {format(texts.songCount, { n: list.song_count })} · {stateInWords(list)}
    </p>
  </>
)
