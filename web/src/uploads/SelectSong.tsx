import { uploads } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ask } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { late } from '../ui/late.tsx'
import { FileState } from './FileState.tsx'
import { askContainerAnew, isBeingAnalysed, useContainer, useFiles } from './files.ts'
import { hush, toggle, usePreview } from './preview.ts'
import css from './SelectSong.module.css'
import * as texts from './texts.ts'
import { useFocusAfter } from './useFocusAfter.ts'
import { useWatching } from './watching.ts'

const Dialog = late(() => import('../ui/Dialog.tsx').then(({ Dialog }) => Dialog))

type Props = {
  /** upload_id of the file that is in the slot. */
  chosen: number | undefined
  /** Those in other slots of the form. */
  taken: number[]
  onSelect: (uploadId: number) => void
  onClose: () => void
}

/** The files one has uploaded, to put one of them into a slot. */
export function SelectSong({ chosen: first, taken, onSelect, onClose }: Props) {
  const { files, error, retry } = useContainer()
  const own = useFiles(({ files }) => (first === undefined ? undefined : files[first]))
  const [chosen, choose] = useState(first)
  const [isTried, setTried] = useState(false)
  const offered = files?.filter(({ upload_id }) => upload_id !== first && !taken.includes(upload_id))
  const all = own ? [own, ...(offered ?? [])] : offered
  useWatching(all?.some(isBeingAnalysed) ?? false)
  useEffect(() => hush, [])
  const list = useRef<HTMLUListElement>(null)
  const passFocus = useFocusAfter(list, 'input')
  const select = (event: FormEvent) => {
    event.preventDefault()
    // A form around the opener's own would hear of it too.
    event.stopPropagation()
    if (chosen === undefined) return setTried(true)
    onSelect(chosen)
    onClose()
  }
  return (
    <Dialog title={texts.selectSong} onClose={onClose}>
      <form className={css.form} onSubmit={select}>
        {error && !all && <TroubleLine error={error} what={texts.yourFiles} retry={retry} alert />}
        {all?.length === 0 && <p className={css.none}>{texts.noUnusedFilesUploadFiles}</p>}
        <ul ref={list} className={css.list} aria-busy={!all && !error} aria-label={texts.uploadedFiles}>
          {all?.map((file, at) => (
            <FileRow
              key={file.upload_id}
              file={file}
              isChosen={file.upload_id === chosen}
              onChoose={choose}
              isOwn={file.upload_id === first}
              onGone={() => {
                if (file.upload_id === chosen) choose(first)
                passFocus(at)
              }}
            />
          ))}
        </ul>
        <p role="alert" className={css.trouble} hidden={!isTried || chosen !== undefined}>
          {texts.chooseAFileFirst}
        </p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary">
            {texts.selectFile}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type RowProps = {
  file: uploads.ContainerFile
  isChosen: boolean
  isOwn: boolean
  onChoose: (uploadId: number) => void
  /** It has been deleted. */
  onGone: () => void
}

function FileRow({ file, isChosen, isOwn, onChoose, onGone }: RowProps) {
  const { upload_id, file: name, mp3, tag } = file
  const isPlaying = usePreview((heard) => heard.isPlaying && heard.upload_id === upload_id)
  return (
    <li className={css.row} data-chosen={isChosen || undefined}>
      <label className={css.choice}>
        <input
          type="radio"
          name="song"
          checked={isChosen}
          data-autofocus={isChosen || undefined}
          onChange={() => onChoose(upload_id)}
        />
        <span className={css.name}>{name}</span>
        {tag.version_label && <small>{tag.version_label}</small>}
      </label>
      <IconButton
        label={isPlaying ? format(texts.pause, { name }) : format(texts.play, { name })}
        disabled={!mp3}
        onClick={() => toggle(file, 0)}
      >
        {isPlaying ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
      </IconButton>
      {!isOwn && <RemoveFile file={file} onGone={onGone} />}
      <div className={css.state}>
        <FileState file={file} />
      </div>
    </li>
  )
}

function RemoveFile({ file: { upload_id, file: name }, onGone }: Pick<RowProps, 'file' | 'onGone'>) {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const remove = async () => {
    setBusy(true)
    try {
      await ask(uploads.removeUpload, { upload_id })
      await askContainerAnew()
      onGone()
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : texts.couldntDeleteTheFileTry)
    }
    setBusy(false)
  }
  return (
    <>
      <IconButton label={format(texts.deleteLabel, { name })} disabled={isBusy} onClick={() => void remove()}>
        <IconTrash size={17} />
      </IconButton>
      {trouble && (
        <p role="alert" className={css.trouble}>
          {trouble}
        </p>
      )}
    </>
  )
}
