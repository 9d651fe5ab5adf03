import { uploads } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { FileState } from './FileState.tsx'
import { isBeingAnalysed, refetchContainer, useContainer, useFiles } from './files.ts'
import { pausePreview, toggle, usePreview } from './preview.ts'
import css from './SelectSong.module.css'
import * as texts from './texts.ts'
import { useFocusAfter } from './useFocusAfter.ts'
import { useUploadWatch } from './useUploadWatch.ts'

const Dialog = lazyOnDemand(() => import('../ui/Dialog.tsx').then(({ Dialog }) => Dialog))

type Props = {
  /** upload_id of the file in the slot. */
  chosen: number | undefined
  /** The files in other slots of the form. */
  usedUploadIds: number[]
  onSelect: (uploadId: number) => void
  onClose: () => void
}

/** The member's uploaded files, to choose one for a slot. */
export function SelectSong({ chosen: first, usedUploadIds, onSelect, onClose }: Props) {
  const { files, error, retry } = useContainer()
  const own = useFiles(({ files }) => (first === undefined ? undefined : files[first]))
  const [chosen, choose] = useState(first)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const selectableFiles = files?.filter(({ upload_id }) => upload_id !== first && !usedUploadIds.includes(upload_id))
  const all = own ? [own, ...(selectableFiles ?? [])] : selectableFiles
  useUploadWatch(all?.some(isBeingAnalysed) ?? false)
  useEffect(() => pausePreview, [])
  const list = useRef<HTMLUListElement>(null)
  const moveFocusAfter = useFocusAfter(list, 'input')
  const select = (event: FormEvent) => {
    event.preventDefault()
    // Otherwise the form around the opener would be submitted too.
    event.stopPropagation()
    if (chosen === undefined) return setWasSubmitted(true)
    onSelect(chosen)
    onClose()
  }
  return (
    <Dialog title={texts.selectSong} onClose={onClose}>
      <form className={css.form} onSubmit={select}>
        {error && !all && <InlineError error={error} title={texts.couldntLoadYourFilesInline} retry={retry} alert />}
        {all?.length === 0 && <p className={css.none}>{texts.noUnusedFilesUploadFiles}</p>}
        <ul ref={list} className={css.list} aria-busy={!all && !error} aria-label={texts.uploadedFiles}>
          {all?.map((file, at) => (
            <FileRow
              key={file.upload_id}
              file={file}
              isChosen={file.upload_id === chosen}
              onChoose={choose}
              isOwn={file.upload_id === first}
              onRemoved={() => {
                if (file.upload_id === chosen) choose(first)
                moveFocusAfter(at)
              }}
            />
          ))}
        </ul>
        <p role="alert" className={css.error} hidden={!wasSubmitted || chosen !== undefined}>
          {texts.chooseAFileFirst}
        </p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancelUpload}</Button>
          <Button type="submit" variant="primary">
            {texts.selectFile}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type FileRowProps = {
  file: uploads.ContainerFile
  isChosen: boolean
  isOwn: boolean
  onChoose: (uploadId: number) => void
  /** Called after the file was deleted. */
  onRemoved: () => void
}

function FileRow({ file, isChosen, isOwn, onChoose, onRemoved }: FileRowProps) {
  const { upload_id, file: name, mp3, tag } = file
  const isPlaying = usePreview((preview) => preview.isPlaying && preview.upload_id === upload_id)
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
      {!isOwn && <RemoveFile file={file} onRemoved={onRemoved} />}
      <div className={css.state}>
        <FileState file={file} />
      </div>
    </li>
  )
}

function RemoveFile({ file: { upload_id, file: name }, onRemoved }: Pick<FileRowProps, 'file' | 'onRemoved'>) {
  const [isBusy, setBusy] = useState(false)
  const [errorMessage, setErrorMessage] = useState('')
  const remove = async () => {
    setBusy(true)
    try {
      await callApi(uploads.removeUpload, { upload_id })
      await refetchContainer()
      onRemoved()
    } catch (error) {
      setErrorMessage(error instanceof Error ? error.message : texts.couldntDeleteTheFileTry)
    }
    setBusy(false)
  }
  return (
    <>
      <IconButton label={format(texts.deleteVersionLabel, { name })} disabled={isBusy} onClick={() => void remove()}>
        <IconTrash size={17} />
      </IconButton>
      {errorMessage && (
        <p role="alert" className={css.error}>
          {errorMessage}
        </p>
      )}
    </>
  )
}
