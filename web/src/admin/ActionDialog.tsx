import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FormFrame } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FormMessages } from './ResourceForm.tsx'
import * as texts from './texts.ts'

type Props = {
  title: string
  /** What will happen. */
  text?: ReactNode
  form: Pick<FormFrame, 'isBusy' | 'messages' | 'submit'> & Partial<Pick<FormFrame, 'element'>>
  /** The verb of the action: 'Suspend'. */
  actionLabel: string
  /** 'Cancel' if missing. */
  closeLabel?: string
  isDanger?: boolean
  /** There is nothing to do yet. */
  isDisabled?: boolean
  /** For content that is compared side by side. */
  isWide?: boolean
  onClose: () => void
  /** The fields. */
  children?: ReactNode
}

/** An action that needs more than a yes: its consequences and its fields. It stays open if the server refuses. */
export const ActionDialog = ({
  title,
  text,
  form: { element, submit, messages, isBusy },
  actionLabel,
  closeLabel = texts.cancel,
  isDanger = false,
  isDisabled = false,
  isWide = false,
  onClose,
  children,
}: Props) => (
  <Dialog title={title} isWide={isWide} onClose={onClose}>
    <form ref={element} noValidate onSubmit={submit}>
      <Stack gap="lg">
        {text && (
          <Text fz="md" c="var(--text-2)">
            {text}
          </Text>
        )}
        {children}
        <FormMessages messages={messages} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{closeLabel}</Button>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} busy={isBusy} disabled={isDisabled}>
            {actionLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  </Dialog>
)
