import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { messagesOf } from '../platform/useResourceForm.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { useAction } from '../ui/useAction.ts'
import * as texts from './texts.ts'

const MAX_LENGTH = 1000

type Props = {
  title: string
  /** The name under which the text is kept for this tab, until it is sent. */
  draftName: string
  /** What will happen. */
  text?: string
  /** Who will read the reason. */
  hint: string
  /** Shown if the reason is empty; without it, a reason is optional. */
  missingMessage?: string | undefined
  /** Common reasons: a click fills them in. */
  suggestions?: readonly string[]
  /** The button that sends the reason: 'Decline'. */
  verb: string
  isDanger?: boolean
  /** Throws if the reason was not sent; the text is then kept. */
  onSend: (reason: string) => Promise<void>
  onClose: () => void
}

/** Asks for the reason of a decision that someone else will read. */
export function ReasonDialog(props: Props) {
  const {
    title,
    text,
    draftName,
    hint,
    missingMessage,
    suggestions = [],
    verb,
    isDanger = true,
    onSend,
    onClose,
  } = props
  const [reason, setReason] = useState(() => getDraft(draftName))
  const [error, setError] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const write = (text: string) => {
    setReason(text)
    setError('')
    saveDraft(draftName, text)
  }
  const [send, isSending] = useAction(async () => {
    field.current?.focus()
    if (missingMessage && reason.trim() === '') return setError(missingMessage)
    try {
      await onSend(reason)
      saveDraft(draftName, '')
      onClose()
    } catch (error) {
      setError(messagesOf(error).join(' '))
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const sendOnCtrlEnter = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) send()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack>
          {text && <Text c="var(--text-2)">{text}</Text>}
          <Textarea
            ref={field}
            label={missingMessage ? texts.reason : texts.reasonOptional}
            description={hint}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={MAX_LENGTH}
            value={reason}
            error={error}
            errorProps={{ role: 'alert' }}
            data-autofocus
            onChange={({ target }) => write(target.value)}
            onKeyDown={sendOnCtrlEnter}
          />
          {suggestions.length > 0 && (
            <Text size="xs" c="dimmed">
              {texts.commonReasons}
            </Text>
          )}
          <Group gap="sm">
            {suggestions.map((suggestion) => (
              <Button
                key={suggestion}
                variant="default"
                size="xs"
                fw={450}
                h="auto"
                mih={28}
                py={4}
                styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
                onClick={() => write(suggestion)}
              >
                {suggestion}
              </Button>
            ))}
          </Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" {...(isDanger && { variant: 'default', c: 'var(--danger)' })} loading={isSending}>
              {verb}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
