import { staff } from '@dubplate/contract'
import { Button, DataList, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconExternalLink, IconNote } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { AgoCell, Status } from '../../admin/cells.tsx'
import { PanelActions } from '../../admin/PanelActions.tsx'
import { type Neighbours, panelKeys } from '../../admin/panelKeys.ts'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { format } from '../../format/message.ts'
import { errorMessagesOf } from '../../membership/useDialogForm.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { STATUSES } from './ApplicationsPage.tsx'
import * as texts from './texts.ts'

type Application = staff.Application

type Props = {
  application: Application
  panelProps: Neighbours
  /** The actions of its row: their keys also work here. */
  rowActions: readonly RowAction<Application>[]
  isEditingNote: boolean
  /** Opens the form for the note of this application; undefined closes it. */
  onEditNote: (customerId: number | undefined) => void
}

/** The whole application, with what can be done with it. */
export function ApplicationPanel({ application, panelProps, rowActions, isEditingNote, onEditNote }: Props) {
  const { customer_id, dj_name, email, state, note } = application
  const { text, tone } = STATUSES[state]
  return (
    <Stack gap="lg" onKeyDown={panelKeys({ row: application, actions: rowActions, ...panelProps })}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2}>{dj_name}</Title>
          <a href={`mailto:${email}`}>{email}</a>
        </div>
        <Status tone={tone}>{text}</Status>
      </Group>
      <PanelActions row={application} actions={rowActions} keys={['a', 'd', 'u']} />
      <Details application={application} />
      <section aria-label={texts.staffNote}>
        <Title order={3} size="h2" mb="xs">
          {texts.staffNote}
        </Title>
        {/* Also shown above the form: someone else may have changed it since the draft was started. */}
        {note && (
          <Text mb="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {note}
          </Text>
        )}
        {isEditingNote ? (
          <NoteForm key={customer_id} application={application} onClose={() => onEditNote(undefined)} />
        ) : (
          <Button variant="default" leftSection={<IconNote size={16} />} onClick={() => onEditNote(customer_id)}>
            {note ? texts.editNote : texts.addNote}
          </Button>
        )}
      </section>
    </Stack>
  )
}

function Details({ application }: { application: Application }) {
  const { applied_at, decided_at, decided_by, referred_by, referrer, dj_website, link, comment, reason } = application
  return (
    <DataList labelWidth={132}>
      <Detail name={texts.applied}>
        <AgoCell at={applied_at} />
      </Detail>
      {decided_at && (
        <Detail name={texts.decided}>
          <AgoCell at={decided_at} /> {decided_by && format(texts.byStaffMember, { name: decided_by })}
        </Detail>
      )}
      {referred_by && (
        <Detail name={texts.memberReference}>
          {referred_by}
          <Text size="sm" c={referrer ? 'var(--ok)' : 'dimmed'}>
            {referrer ? format(texts.isAMember, { dj_name: referrer.dj_name }) : texts.noMemberWithThisName}
          </Text>
        </Detail>
      )}
      {dj_website && (
        <Detail name={texts.socialLink}>
          <SocialLink application={application} />
          {!link && (
            <Text size="sm" c="dimmed">
              {texts.notAValidLink}
            </Text>
          )}
        </Detail>
      )}
      {comment && <Detail name={texts.comment}>{comment}</Detail>}
      {reason && <Detail name={texts.reason}>{reason}</Detail>}
    </DataList>
  )
}

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <DataList.Item>
    <DataList.ItemLabel>{name}</DataList.ItemLabel>
    <DataList.ItemValue style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{children}</DataList.ItemValue>
  </DataList.Item>
)

/** Opened so that the other site receives no referrer and no `window.opener`. */
export const SocialLink = ({ application: { dj_website, link } }: { application: Application }) =>
  link ? (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow ugc" referrerPolicy="no-referrer">
      {dj_website} <IconExternalLink size={14} aria-hidden />
      <span className="sr"> {texts.opensInANewTab}</span>
    </a>
  ) : (
    dj_website
  )

const MAX_NOTE_LENGTH = 4000

/** The note of staff for staff. The text is kept until it is saved. */
function NoteForm({ application: { customer_id, version, note }, onClose }: FormProps) {
  const draftName = `note.${customer_id}`
  const [text, setText] = useState(() => getDraft(draftName) || note)
  // The row, if the form was opened by its key: it gets the focus back.
  const [focusedBefore] = useState(() => document.activeElement)
  const save = useApiMutation(staff.noteApplication, { invalidates: [staff.getApplications] })
  const close = () => {
    onClose()
    if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected) focusedBefore.focus()
  }
  const submit = () => {
    if (save.isPending) return
    save.mutate(
      { customer_id, version, note: text },
      {
        onSuccess: () => {
          saveDraft(draftName, '')
          close()
        },
        // Someone else may have changed the note: the newer one is shown above.
        onError: () => void refreshReplies([staff.getApplications]),
      },
    )
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  return (
    <Stack gap="sm">
      <Textarea
        label={texts.note}
        description={texts.onlyStaffCanSeeThis}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={MAX_NOTE_LENGTH}
        value={text}
        error={save.error && errorMessagesOf(save.error).join(' ')}
        errorProps={{ role: 'alert' }}
        autoFocus
        data-autofocus
        onChange={({ target }) => {
          setText(target.value)
          saveDraft(draftName, target.value)
        }}
        onKeyDown={handleKey}
      />
      <Group gap="sm">
        <Button loading={save.isPending} onClick={submit}>
          {texts.saveNote}
        </Button>
        <Button variant="default" onClick={close}>
          {texts.cancel}
        </Button>
      </Group>
    </Stack>
  )
}

type FormProps = { application: Application; onClose: () => void }
