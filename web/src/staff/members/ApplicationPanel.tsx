import { staff } from '@dubplate/contract'
import { noteApplication } from '@dubplate/contract/schemas/staff'
import { Button, DataList, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { IconExternalLink, IconNote } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { AgoCell, Status } from '../../admin/cells.tsx'
import { PanelActions } from '../../admin/PanelActions.tsx'
import { type Neighbours, panelKeys } from '../../admin/panelKeys.ts'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { format } from '../../format/message.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
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
  const { customer_id, dj_name, email, email_verified, state, note } = application
  const { text, tone } = STATUSES[state]
  return (
    <Stack gap="lg" onKeyDown={panelKeys({ row: application, actions: rowActions, ...panelProps })}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2}>{dj_name}</Title>
          <a href={`mailto:${email}`}>{email}</a>
          {!email_verified && (
            <Text size="sm" c="var(--warn)">
              {texts.emailNotVerifiedHint}
            </Text>
          )}
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
  // The row, if the form was opened by its key: it gets the focus back.
  const [focusedBefore] = useState(() => document.activeElement)
  const close = () => {
    onClose()
    if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected) focusedBefore.focus()
  }
  const form = useResourceForm({
    call: noteApplication,
    draftName: `note.${customer_id}`,
    values: { note },
    toInput: (values) => ({ customer_id, version, ...values }),
    invalidates: [staff.getApplications],
    // Someone else may have changed the note: the newer one is shown above.
    onRejected: () => void refreshReplies([staff.getApplications]),
    onSaved: close,
  })
  const { element } = form
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.submit()
    if (event.key !== 'Escape') return
    event.stopPropagation()
    close()
  }
  return (
    <form ref={element} noValidate onSubmit={form.submit}>
      <Stack gap="sm">
        <Textarea
          label={texts.note}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={MAX_NOTE_LENGTH}
          errorProps={{ role: 'alert' }}
          autoFocus
          data-autofocus
          onKeyDown={handleKey}
          {...form.field('note', texts.onlyStaffCanSeeThis)}
          {...(form.messages.length > 0 && { error: form.messages.join(' ') })}
        />
        <Group gap="sm">
          <Button type="submit" loading={form.isBusy}>
            {texts.saveNote}
          </Button>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type FormProps = { application: Application; onClose: () => void }
