import { ownLibrary } from '@dubplate/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { count, formatDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { OfflineError } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import css from './DjLibrary.module.css'
import { ImportArea } from './ImportArea.tsx'
import { cancelImport, continueSending, sendLibrary, useLibraryImport } from './libraryImport.ts'
import { ProgressCard } from './ProgressCard.tsx'
import type { ReadLibrary } from './readFiles.ts'
import * as texts from './texts.ts'

type Props = {
  libraries: ownLibrary.OwnLibrary[]
  /** Shows the drop area although nothing is imported. */
  isOpen: boolean
  onSent: () => void
}

/** The import of this tab: choosing, reading, confirming and sending a library. */
export function ImportPanel({ libraries, isOpen, onSent }: Props) {
  const current = useLibraryImport((state) => state.current)
  const cancel = <Button onClick={() => void cancelImport()}>{texts.cancel}</Button>
  switch (current.step) {
    case 'idle':
      return isOpen && <ImportArea />
    case 'reading':
      return (
        <ProgressCard
          title={current.fileName ? format(texts.readingFile, { name: current.fileName }) : texts.readingFiles}
          text={texts.readingStaysHere}
          progress={current.progress}
          actions={cancel}
        />
      )
    case 'unreadable':
      return (
        <>
          <p role="alert" className={css.problem}>
            <IconAlertTriangle size={18} aria-hidden />
            <span>
              <b>{current.fileName ? format(texts.couldntRead, { name: current.fileName }) : texts.couldntReadFiles}</b>{' '}
              {current.message}
            </span>
          </p>
          <ImportArea />
        </>
      )
    case 'confirming':
      return (
        <ConfirmImport key={current.library.name} library={current.library} libraries={libraries} onSent={onSent} />
      )
    case 'sending':
      return (
        <ProgressCard
          title={format(texts.importingLibrary, { name: current.name })}
          text={
            current.error
              ? sendingProblem(current.error)
              : format(texts.sentFilesOf, { sent: count(current.sent), total: count(current.total) })
          }
          isProblem={current.error !== undefined}
          progress={current.sent / current.total}
          actions={
            <>
              {current.error && (
                <Button variant="primary" onClick={() => void continueSending()}>
                  {texts.tryAgain}
                </Button>
              )}
              {cancel}
            </>
          }
        />
      )
  }
}

/** The server's own message, or that the import continues with the connection. */
const sendingProblem = (error: Error) => (error instanceof OfflineError ? texts.connectionLost : error.message)

const MAX_NAME = 60

type ConfirmProps = Pick<Props, 'libraries' | 'onSent'> & { library: ReadLibrary }

/** Shows what was found and what is sent, and asks for the name of the library. */
function ConfirmImport({ library, libraries, onSent }: ConfirmProps) {
  const [name, setName] = useState(library.name.slice(0, MAX_NAME))
  const [isBusy, setBusy] = useState(false)
  const trimmed = name.trim()
  const replaced = libraries.find((each) => each.name.toLowerCase() === trimmed.toLowerCase())
  const isFull = !replaced && libraries.length >= ownLibrary.MAX_LIBRARIES
  const problem = !trimmed
    ? texts.enterAName
    : isFull
      ? format(texts.tooManyLibraries, { max: ownLibrary.MAX_LIBRARIES })
      : undefined
  const files = library.entries.length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem) return
    setBusy(true)
    onSent()
    void sendLibrary(library, trimmed)
  }
  return (
    <form className={css.card} aria-label={texts.importLibrary} onSubmit={submit}>
      <h2>{format(texts.foundFiles, { count: files })}</h2>
      {library.damage && (
        <p role="alert" className={css.problem}>
          <IconAlertTriangle size={18} aria-hidden />
          <span>{format(texts.readUntilDamage, { damage: library.damage, count: files })}</span>
        </p>
      )}
      <p>{texts.whatIsSent}</p>
      <label className={css.field}>
        <span>{texts.nameOfLibrary}</span>
        <input
          value={name}
          maxLength={MAX_NAME}
          aria-invalid={problem !== undefined}
          aria-describedby="library-name-note"
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <small id="library-name-note" data-invalid={problem && ''} aria-live="polite">
          {problem ?? (replaced ? format(texts.replacesLibrary, { date: formatDate(replaced.imported_at) }) : '')}
        </small>
      </label>
      <div className={css.buttons}>
        <Button type="submit" variant="primary" busy={isBusy} disabled={problem !== undefined}>
          {format(texts.importFiles, { count: files })}
        </Button>
        <Button onClick={() => void cancelImport()}>{texts.cancel}</Button>
      </div>
    </form>
  )
}
