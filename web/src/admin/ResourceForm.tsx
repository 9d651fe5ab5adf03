import { Alert, Group, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { formatTime } from '../format/format.ts'
import { format } from '../format/message.ts'
import type { FormFrame } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import * as texts from './texts.ts'

type Props = {
  form: FormFrame
  /** Names the form for screen readers. */
  label: string
  /** 'Save' if missing. */
  saveLabel?: string
  /** It can be saved without a change: a starting text that is not published yet. */
  canSaveUnchanged?: boolean
  /** Without it, the form stays open and its changes can only be discarded. */
  onClose?: () => void
  /** Further buttons, while nothing is changed. */
  actions?: ReactNode
  children: ReactNode
}

const GROUND = 'var(--form-ground, var(--surface))'

/**
 * The fields of a form with what concerns all of them: the draft it was opened with, a change by someone else, errors,
 * and its buttons. Ctrl + S and Ctrl + Enter save. The field with `data-autofocus` has the focus first.
 */
export function ResourceForm({
  form,
  label,
  saveLabel = texts.save,
  canSaveUnchanged,
  onClose,
  actions,
  children,
}: Props) {
  const { element, isBusy, isChanged, wasSaved, messages, draftAt } = form
  useEffect(() => element.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [element])
  const close = () => {
    form.discard()
    onClose?.()
  }
  const canSave = isChanged || canSaveUnchanged || onClose !== undefined
  const state = isBusy ? texts.saving : isChanged ? texts.unsavedChanges : wasSaved ? texts.saved : ''
  return (
    <form ref={element} noValidate aria-label={label} onSubmit={form.submit} onKeyDown={submitOnKey}>
      <Stack gap="lg">
        {draftAt && isChanged && (
          <Text fz="sm" c="var(--text-2)">
            {format(texts.unsavedDraftFrom, { time: formatTime(draftAt) })}
          </Text>
        )}
        <ConflictNotice form={form} />
        {children}
        <FormMessages messages={messages} />
        <Group
          gap="sm"
          pos="sticky"
          bottom={0}
          py="md"
          bg={GROUND}
          // The shadow covers the fields that scroll behind the padding below.
          style={{ zIndex: 1, boxShadow: `0 20px ${GROUND}` }}
        >
          <Button type="submit" variant={canSave ? 'primary' : 'plain'} busy={isBusy} disabled={!canSave}>
            {saveLabel}
          </Button>
          {(onClose || isChanged) && (
            <Button disabled={isBusy} onClick={close}>
              {isChanged ? texts.discard : texts.cancel}
            </Button>
          )}
          {!isChanged && actions}
          <Text role="status" fz="sm" c="var(--text-2)" ml="auto">
            {state}
          </Text>
        </Group>
      </Stack>
    </form>
  )
}

/** Ctrl + S saves, and so does Ctrl + Enter, also from a field with several lines. */
function submitOnKey(event: KeyboardEvent<HTMLFormElement>) {
  const isSaveKey = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter')
  // A rich text field has handled it.
  if (!isSaveKey || event.isDefaultPrevented()) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/** Errors that concern no single field. */
export const FormMessages = ({ messages }: { messages: readonly string[] }) =>
  messages.length > 0 && (
    <Alert role="alert" color="var(--danger)" variant="light" p="sm">
      {messages.map((message) => (
        <Text key={message} fz="md" c="var(--danger)">
          {message}
        </Text>
      ))}
    </Alert>
  )

/** Says that someone else has saved first. Their values are below the fields that differ. */
const ConflictNotice = ({ form: { conflict } }: { form: FormFrame }) =>
  conflict && (
    <Alert role="alert" color="var(--warn)" variant="light" title={texts.someoneElseSavedFirst}>
      <Text fz="md">{texts.yourChangesAreStillInTheForm}</Text>
      <Group gap="sm" mt="sm">
        <Button onClick={conflict.keepMine}>{texts.keepMine}</Button>
        <Button onClick={conflict.takeServerVersion}>{texts.takeTheirVersion}</Button>
      </Group>
    </Alert>
  )
