import { members } from '@dubplate/contract'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { formatExactDate, formatShortDate } from '../../platform/format.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toastError } from '../../ui/toast.ts'
import { Field } from '../../uploads/Field.tsx'
import { Part } from './MemberPart.tsx'
import css from './MemberView.module.css'
import { askMembersAnew } from './memberDeeds.ts'
import * as texts from './texts.ts'

type Note = members.StaffNote
type Props = { customerId: number; notes: Note[]; canWrite: boolean }

/** Staff notes about a member, and the reason for a suspension. */
export const MemberNotes = ({ customerId, notes, canWrite }: Props) => (
  <Part title={texts.staffNotes}>
    {canWrite && <NewNote customerId={customerId} />}
    {notes.length === 0 && <p className={css.none}>{texts.noNotesYet}</p>}
    <ul className={css.notes}>
      {notes.map((note) => (
        <Line key={note.staff_note_id} note={note} canWrite={canWrite} />
      ))}
    </ul>
  </Part>
)

function NewNote({ customerId }: { customerId: number }) {
  const draft = `note.${customerId}`
  const [text, setText] = useState(() => getDraft(draft))
  const [isBusy, setBusy] = useState(false)
  const type = (typed: string) => {
    setText(typed)
    saveDraft(draft, typed)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi(members.writeNote, { customer_id: customerId, text })
      type('')
      await askMembersAnew()
    } catch (error) {
      void toastError(texts.couldntSaveNote, error)
    }
    setBusy(false)
  }
  return (
    <form className={css.newNote} onSubmit={(event) => void save(event)}>
      <Field label={texts.newNote} path="text" note={texts.includedInTheMembersData}>
        {(control) => (
          <textarea
            {...control}
            className={css.text}
            rows={3}
            maxLength={4000}
            value={text}
            onChange={({ currentTarget }) => type(currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" busy={isBusy} disabled={text.trim() === ''}>
        {texts.saveNote}
      </Button>
    </form>
  )
}

const KIND_WORDS: Record<Note['kind'], string> = {
  note: '',
  suspended: texts.suspended,
  lifted: texts.suspensionLifted,
}

function Line({ note: { staff_note_id, kind, text, by, at }, canWrite }: { note: Note; canWrite: boolean }) {
  const me = useSession(({ profile }) => profile)
  const isOwn = by?.customer_id === me?.customer_id || me?.staff_role === 'admin'
  const remove = async () => {
    try {
      await callApi(members.removeNote, { staff_note_id })
      await askMembersAnew()
    } catch (error) {
      void toastError(texts.couldntDeleteNote, error)
    }
  }
  return (
    <li data-kind={kind}>
      <p>
        {KIND_WORDS[kind] && <b>{KIND_WORDS[kind]}</b>} {text}
      </p>
      <small>
        {by?.dj_name ?? texts.formerStaffMember} ·{' '}
        <time dateTime={at} title={formatExactDate(at)}>
          {formatShortDate(at)}
        </time>
      </small>
      {canWrite && kind === 'note' && isOwn && (
        <IconButton label={texts.deleteNote} onClick={() => void remove()}>
          <IconTrash size={16} />
        </IconButton>
      )}
    </li>
  )
}
