import type { imports } from '@dubplate/contract'
import { type FormEvent, useState } from 'react'
import { getDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../forms/EntryFields.tsx'
import { useKept } from '../forms/useKept.ts'
import css from './Imports.module.css'
import { correctFile } from './imports.ts'
import * as texts from './texts.ts'

const draftName = (runId: number, n: number) => `import.${runId}.${n}`

/** Whether there are unsaved changes for this file. */
export const isEditing = (runId: number, n: number): boolean => getDraft(draftName(runId, n)) !== ''

const NOTHING: imports.FileDetails = { artist: '', title: '', version_label: '', genre: '' }

type Props = { runId: number; file: imports.ImportFile; onClose: () => void }

/** Values of a file that staff can change before it is imported. What is typed survives a reload. */
export function ImportFileEdit({ runId, file, onClose }: Props) {
  const { n, found, correction, is_excluded } = file
  const { typed, write, drop } = useKept(draftName(runId, n), { ...(found ?? NOTHING), ...correction })
  const [busy, setBusy] = useState<string>()
  const [complaint, setComplaint] = useState('')
  const send = async (name: string, changes: Parameters<typeof correctFile>[2]) => {
    setBusy(name)
    setComplaint('')
    try {
      await correctFile(runId, n, changes)
      drop()
      onClose()
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : texts.couldntSaveYourChangesTry)
      setBusy(undefined)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!typed.artist.trim() || !typed.title.trim()) return setComplaint(texts.enterAnArtistAndA)
    void send('save', { ...typed, is_excluded: false })
  }
  const close = () => {
    drop()
    onClose()
  }
  return (
    <form noValidate className={css.edit} aria-label={format(texts.editFileLabel, { path: file.path })} onSubmit={save}>
      <TextField
        label={texts.artist}
        path="artist"
        maxLength={300}
        takesFocus
        value={typed.artist}
        onChange={(artist) => write({ artist })}
      />
      <TextField
        label={texts.title}
        path="title"
        maxLength={300}
        value={typed.title}
        onChange={(title) => write({ title })}
      />
      <TextField
        label={texts.version}
        path="version_label"
        maxLength={60}
        value={typed.version_label}
        onChange={(version_label) => write({ version_label })}
      />
      <TextField
        label={texts.genre}
        path="genre"
        maxLength={200}
        note={texts.separateSeveralWithCommas}
        value={typed.genre}
        onChange={(genre) => write({ genre })}
      />
      <p role="alert" className={`${css.trouble} ${css.whole}`} hidden={!complaint}>
        {complaint}
      </p>
      <div className={`${css.actions} ${css.whole}`}>
        <Button type="submit" variant="primary" busy={busy === 'save'}>
          {is_excluded ? texts.saveAndInclude : texts.save}
        </Button>
        <Button onClick={close}>{texts.cancel}</Button>
        {is_excluded ? (
          <Button busy={busy === 'leave'} onClick={() => void send('leave', { is_excluded: false })}>
            {texts.includeFile}
          </Button>
        ) : (
          <Button busy={busy === 'leave'} onClick={() => void send('leave', { is_excluded: true })}>
            {texts.leaveOut}
          </Button>
        )}
        {correction && (
          <Button busy={busy === 'reset'} onClick={() => void send('reset', { reset: true })}>
            {texts.undoChanges}
          </Button>
        )}
      </div>
    </form>
  )
}
