import { members } from '@dubplate/contract'
import { ActionIcon, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { PageSection } from '../../admin/PageSection.tsx'
import { formatDate } from '../../format/dates.ts'
import { formatExactDate } from '../../format/format.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { useSession } from '../../platform/session.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { MEMBER_CALLS } from './memberStatus.ts'
import * as texts from './texts.ts'

type Props = { customerId: number; notes: members.StaffNote[]; canWrite: boolean }

/** Notes of staff about a member, and the reasons for suspensions. */
export const MemberNotes = ({ customerId, notes, canWrite }: Props) => (
  <PageSection title={texts.staffNotes}>
    <Stack gap="md">
      {canWrite && <NewNote customerId={customerId} />}
      {notes.length === 0 ? (
        <Text fz="sm" c="var(--text-2)">
          {texts.noNotesYet}
        </Text>
      ) : (
        <Stack component="ul" gap="md">
          {notes.map((note) => (
            <Note key={note.staff_note_id} note={note} canWrite={canWrite} />
          ))}
        </Stack>
      )}
    </Stack>
  </PageSection>
)

const MAX_NOTE_LENGTH = 4000

function NewNote({ customerId }: { customerId: number }) {
  const draft = `note.${customerId}`
  const [text, setText] = useState(() => getDraft(draft))
  const { mutate, isPending } = useApiMutation(members.writeNote, {
    invalidates: MEMBER_CALLS,
    errorTitle: texts.couldntSaveNote,
  })
  const change = (text: string) => {
    setText(text)
    saveDraft(draft, text)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    mutate({ customer_id: customerId, text }, { onSuccess: () => change('') })
  }
  return (
    <form onSubmit={save}>
      <Textarea
        label={texts.newNote}
        description={texts.includedInTheMembersData}
        autosize
        minRows={2}
        maxLength={MAX_NOTE_LENGTH}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <Button type="submit" busy={isPending} disabled={text.trim() === ''} style={{ marginTop: 8 }}>
        {texts.saveNote}
      </Button>
    </form>
  )
}

const KIND_NAMES: Record<members.StaffNote['kind'], string> = {
  note: '',
  suspended: texts.suspended,
  lifted: texts.suspensionLifted,
}

function Note({ note, canWrite }: { note: members.StaffNote; canWrite: boolean }) {
  const { staff_note_id, kind, text, by, at } = note
  const me = useSession(({ profile }) => profile)
  const { mutate } = useApiMutation(members.removeNote, {
    invalidates: MEMBER_CALLS,
    errorTitle: texts.couldntDeleteNote,
  })
  const isOwn = by?.customer_id === me?.customer_id || me?.staff_role === 'admin'
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start" justify="space-between">
      <div>
        <Text fz="md" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {KIND_NAMES[kind] && <b>{KIND_NAMES[kind]} </b>}
          {text}
        </Text>
        <Text fz="xs" c="var(--text-2)">
          {by?.dj_name ?? texts.formerStaffMember} ·{' '}
          <time dateTime={at} title={formatExactDate(at)}>
            {formatDate(at)}
          </time>
        </Text>
      </div>
      {canWrite && kind === 'note' && isOwn && (
        <ActionIcon size={28} aria-label={texts.deleteNote} onClick={() => mutate({ staff_note_id })}>
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}
