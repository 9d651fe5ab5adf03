import { Group, Stack, Text } from '@mantine/core'
import { IconPaperclip, IconRefresh, IconX } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { usePreventStrayDrops } from '../ui/usePreventStrayDrops.ts'
import * as texts from './texts.ts'
import {
  ATTACHMENT_LIMITS_TEXT,
  type AttachedFile,
  type Attachments,
  type AttachmentUpload,
  fileError,
} from './useAttachments.ts'

const TOUCH_TARGET = { width: 40, height: 40 }

type Props = { attached: readonly AttachedFile[]; attaching: Attachments }

/** The attachments of a message being written: chosen here, or dropped on and pasted into its text. */
export function AttachedFiles({ attached, attaching }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  usePreventStrayDrops()
  const keepFocusAfter = (action: () => void) => () => {
    action()
    button.current?.focus()
  }
  return (
    <Stack gap="sm">
      <Group gap="4px 12px">
        <Button ref={button} onClick={() => field.current?.click()}>
          <IconPaperclip size={16} aria-hidden />
          {texts.attachFiles}
        </Button>
        <Text component="small" fz="xs" c="var(--text-2)">
          {ATTACHMENT_LIMITS_TEXT}
        </Text>
      </Group>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={texts.filesToAttach}
        onChange={({ currentTarget }) => {
          attaching.add([...(currentTarget.files ?? [])])
          // Allows the same file to be chosen again.
          currentTarget.value = ''
        }}
      />
      {attaching.limitError && <ErrorText>{attaching.limitError}</ErrorText>}
      {attached.length + attaching.uploads.length > 0 && (
        <Stack component="ul" gap={4} aria-label={texts.attachedFiles}>
          {attached.map(({ name, filename, bytes }) => (
            <FileRow key={name} name={filename}>
              <Text component="small" className="num" fz="xs" c="var(--text-2)">
                {formatBytes(bytes)}
              </Text>
              <IconButton
                style={TOUCH_TARGET}
                label={format(texts.removeAttachmentLabel, { filename })}
                onClick={keepFocusAfter(() => attaching.remove(name))}
              >
                <IconX size={16} />
              </IconButton>
            </FileRow>
          ))}
          {attaching.uploads.map((upload) => (
            <UploadRow
              key={upload.key}
              upload={upload}
              onRetry={() => attaching.retry(upload)}
              onCancel={keepFocusAfter(() => attaching.cancel(upload.key))}
            />
          ))}
        </Stack>
      )}
    </Stack>
  )
}

const FileRow = ({ name, children }: { name: string; children: ReactNode }) => (
  <Group component="li" gap="sm" wrap="nowrap" mih={40} p="2px 4px 2px 12px" bdrs="md" bg="var(--surface-2)">
    <Text fz="sm" truncate flex={1}>
      {name}
    </Text>
    {children}
  </Group>
)

type UploadProps = { upload: AttachmentUpload; onRetry: () => void; onCancel: () => void }

const UploadRow = ({ upload: { file, share, error }, onRetry, onCancel }: UploadProps) => (
  <FileRow name={file.name}>
    {error ? (
      <ErrorText>{error}</ErrorText>
    ) : (
      <progress
        style={{ width: 96, height: 6, accentColor: 'var(--accent-ink)' }}
        value={share}
        max={1}
        aria-label={format(texts.uploading, { name: file.name })}
      />
    )}
    {error && fileError(file) === '' && (
      <IconButton style={TOUCH_TARGET} label={format(texts.retry, { name: file.name })} onClick={onRetry}>
        <IconRefresh size={16} />
      </IconButton>
    )}
    <IconButton
      style={TOUCH_TARGET}
      label={format(texts.removeSendingFileLabel, { name: file.name })}
      onClick={onCancel}
    >
      <IconX size={16} />
    </IconButton>
  </FileRow>
)

const ErrorText = ({ children }: { children: string }) => (
  <Text role="alert" fz="xs" c="var(--danger)">
    {children}
  </Text>
)
