import { uploads } from '@dubplate/contract'
import { Box, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { useAction } from '../ui/useAction.ts'
import { FileState } from './FileState.tsx'
import { isBeingAnalysed, refetchContainer, useContainer, useFiles } from './files.ts'
import { pausePreview, toggle, usePreview } from './preview.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'
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
  const list = useRef<HTMLDivElement>(null)
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
      <form onSubmit={select}>
        <Stack gap="md">
          {error && !all && <InlineError error={error} title={texts.couldntLoadYourFilesInline} retry={retry} alert />}
          {all?.length === 0 && <Text c="var(--text-2)">{texts.noUnusedFilesUploadFiles}</Text>}
          <Stack
            component="ul"
            ref={list}
            gap="xs"
            mih={!all && !error ? 180 : undefined}
            mah="min(52vh, 460px)"
            style={{ overflow: 'auto' }}
            aria-busy={!all && !error}
            aria-label={texts.uploadedFiles}
          >
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
          </Stack>
          <ErrorText>{wasSubmitted && chosen === undefined ? texts.chooseAFileFirst : ''}</ErrorText>
          <Group gap="sm" justify="flex-end">
            <Button onClick={onClose}>{texts.cancelUpload}</Button>
            <Button type="submit" variant="primary">
              {texts.selectFile}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

const ErrorText = ({ children }: { children: string }) =>
  children && (
    <Text role="alert" size="sm" c="var(--danger)">
      {children}
    </Text>
  )

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
    <li className={css.file} data-chosen={isChosen || undefined}>
      <Group gap="xs" wrap="nowrap">
        <Group component="label" className={css.choice} gap="sm" wrap="nowrap" miw={0} flex={1}>
          <input
            type="radio"
            name="song"
            checked={isChosen}
            data-autofocus={isChosen || undefined}
            onChange={() => onChoose(upload_id)}
          />
          <Stack component="span" gap={0} miw={0}>
            <Text span fw={560} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {tag.version_label && (
              <Text component="small" c="var(--text-2)" size="sm">
                {tag.version_label}
              </Text>
            )}
          </Stack>
        </Group>
        <IconButton
          label={isPlaying ? format(texts.pause, { name }) : format(texts.play, { name })}
          disabled={!mp3}
          style={{ opacity: mp3 ? undefined : 0.4 }}
          onClick={() => toggle(file, 0)}
        >
          {isPlaying ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
        </IconButton>
        {!isOwn && <RemoveFile file={file} onRemoved={onRemoved} />}
      </Group>
      <Box pl={26}>
        <FileState file={file} />
      </Box>
    </li>
  )
}

function RemoveFile({ file: { upload_id, file: name }, onRemoved }: Pick<FileRowProps, 'file' | 'onRemoved'>) {
  const [errorMessage, setErrorMessage] = useState('')
  const [remove, isBusy] = useAction(async () => {
    try {
      await callApi(uploads.removeUpload, { upload_id })
      await refetchContainer()
      onRemoved()
    } catch (error) {
      setErrorMessage(error instanceof Error ? error.message : texts.couldntDeleteTheFileTry)
    }
  })
  return (
    <>
      <IconButton label={format(texts.deleteVersionLabel, { name })} disabled={isBusy} onClick={() => remove()}>
        <IconTrash size={17} />
      </IconButton>
      <ErrorText>{errorMessage}</ErrorText>
    </>
  )
}
