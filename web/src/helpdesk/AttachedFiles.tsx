import { IconPaperclip, IconRefresh, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { formatBytes } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { usePreventStrayDrops } from '../ui/usePreventStrayDrops.ts'
import css from './AttachedFiles.module.css'
import { ATTACHMENT_LIMITS_TEXT, type AttachmentUpload, fileError } from './attachmentUpload.ts'
import type { SentFile } from './message.ts'
import * as texts from './texts.ts'
import type { AttachmentState } from './useAttachments.ts'

type Props = { attached: readonly SentFile[]; attaching: AttachmentState }

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
    <div className={css.box}>
      <div className={css.bar}>
        <Button ref={button} onClick={() => field.current?.click()}>
          <IconPaperclip size={16} aria-hidden />
          {texts.attachFiles}
        </Button>
        <small>{ATTACHMENT_LIMITS_TEXT}</small>
      </div>
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
      <p role="alert" className={css.complaint} hidden={attaching.tooMany === ''}>
        {attaching.tooMany}
      </p>
      {attached.length + attaching.sendings.length > 0 && (
        <ul className={css.files} aria-label={texts.attachedFiles}>
          {attached.map(({ name, filename, bytes }) => (
            <li key={name} className={css.file}>
              <span className={css.name}>{filename}</span>
              <small className="num">{formatBytes(bytes)}</small>
              <IconButton
                label={format(texts.removeAttachmentLabel, { filename })}
                onClick={keepFocusAfter(() => attaching.remove(name))}
              >
                <IconX size={16} />
              </IconButton>
            </li>
          ))}
          {attaching.sendings.map((sending) => (
            <SendingFile
              key={sending.key}
              sending={sending}
              onRetry={() => attaching.again(sending)}
              onDismiss={keepFocusAfter(() => attaching.drop(sending.key))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type SendingFileProps = { sending: AttachmentUpload; onRetry: () => void; onDismiss: () => void }

function SendingFile({ sending: { file, share, complaint: validationError }, onRetry, onDismiss }: SendingFileProps) {
  return (
    <li className={css.file}>
      <span className={css.name}>{file.name}</span>
      {validationError ? (
        <small role="alert" className={css.complaint}>
          {validationError}
        </small>
      ) : (
        <progress value={share} max={1} aria-label={format(texts.uploading, { name: file.name })} />
      )}
      <span>
        {validationError && fileError(file) === '' && (
          <IconButton label={format(texts.retry, { name: file.name })} onClick={onRetry}>
            <IconRefresh size={16} />
          </IconButton>
        )}
        <IconButton label={format(texts.removeSendingFileLabel, { name: file.name })} onClick={onDismiss}>
          <IconX size={16} />
        </IconButton>
      </span>
    </li>
  )
}
