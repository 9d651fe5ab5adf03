import { IconPaperclip, IconRefresh, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { byteSize } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { useMissedDrops } from '../ui/missedDrops.ts'
import css from './AttachedFiles.module.css'
import type { SentFile } from './message.ts'
import { complaintOf, LIMITS_IN_WORDS, type Sending } from './sending.ts'
import * as texts from './texts.ts'
import type { Attaching } from './useAttaching.ts'

type Props = { attached: readonly SentFile[]; attaching: Attaching }

/** The files of a message that is being written: chosen here, or dropped on and pasted into its text. */
export function AttachedFiles({ attached, attaching }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useMissedDrops()
  const take = (away: () => void) => () => {
    away()
    button.current?.focus()
  }
  return (
    <div className={css.box}>
      <div className={css.bar}>
        <Button ref={button} onClick={() => field.current?.click()}>
          <IconPaperclip size={16} aria-hidden />
          {texts.attachFiles}
        </Button>
        <small>{LIMITS_IN_WORDS}</small>
      </div>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-label={texts.filesToAttach}
        onChange={({ currentTarget }) => {
          attaching.add([...(currentTarget.files ?? [])])
          // The same file may be chosen again.
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
              <small className="num">{byteSize(bytes)}</small>
              <IconButton label={format(texts.remove, { filename })} onClick={take(() => attaching.remove(name))}>
                <IconX size={16} />
              </IconButton>
            </li>
          ))}
          {attaching.sendings.map((sending) => (
            <OnItsWay
              key={sending.key}
              sending={sending}
              onAgain={() => attaching.again(sending)}
              onDrop={take(() => attaching.drop(sending.key))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type OnItsWayProps = { sending: Sending; onAgain: () => void; onDrop: () => void }

function OnItsWay({ sending: { file, share, complaint }, onAgain, onDrop }: OnItsWayProps) {
  return (
    <li className={css.file}>
      <span className={css.name}>{file.name}</span>
      {complaint ? (
        <small role="alert" className={css.complaint}>
          {complaint}
        </small>
      ) : (
        <progress value={share} max={1} aria-label={format(texts.uploading, { name: file.name })} />
      )}
      <span>
        {complaint && complaintOf(file) === '' && (
          <IconButton label={format(texts.retry, { name: file.name })} onClick={onAgain}>
            <IconRefresh size={16} />
          </IconButton>
        )}
        <IconButton label={format(texts.remove2, { name: file.name })} onClick={onDrop}>
          <IconX size={16} />
        </IconButton>
      </span>
    </li>
  )
}
