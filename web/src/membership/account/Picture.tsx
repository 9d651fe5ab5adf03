import { account, type membership } from '@dubplate/contract'
import { Group, Stack, Text } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { changeProfile } from '../../platform/session.ts'
import { upload } from '../../platform/upload.ts'
import { messagesOf } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import * as texts from '../texts.ts'
import css from './Account.module.css'
import { AccountSection } from './AccountSection.tsx'
import { Alert } from './Alert.tsx'
import { Avatar } from './Avatar.tsx'
import { pickPicture } from './pictureFiles.ts'

const CropDialog = lazyOnDemand(() => import('./CropDialog.tsx').then(({ CropDialog }) => CropDialog))

/** A member's picture: chosen or dropped, cropped to a square, uploaded. */
export function Picture({ profile }: { profile: membership.Profile }) {
  const [file, setFile] = useState<File>()
  /** The cropped picture until the server has accepted it. */
  const [croppedPicture, setCroppedPicture] = useState<Blob>()
  const [note, setNote] = useState('')
  const [errorMessage, setErrorMessage] = useState('')
  /** The part that has been sent, 0 to 1; undefined while nothing is being sent. */
  const [sent, setSent] = useState<number>()
  const field = useRef<HTMLInputElement>(null)

  const handleFiles = (files: File[]) => {
    const { file, errorMessage = '', note = '' } = pickPicture(files)
    setErrorMessage(errorMessage)
    setNote(note)
    setFile(file)
    setCroppedPicture(undefined)
  }
  const runWithErrors = async (work: () => Promise<void>) => {
    setErrorMessage('')
    setNote('')
    setSent(0)
    await work().catch((error) => setErrorMessage(messagesOf(error)[0] ?? ''))
    setSent(undefined)
  }
  const send = (picture: Blob) => {
    setFile(undefined)
    setCroppedPicture(picture)
    return runWithErrors(async () => {
      const form = new FormData()
      form.append('UploadFilesForm[files]', picture, picture.type === 'image/webp' ? 'picture.webp' : 'picture.jpg')
      changeProfile(await upload(account.uploadPicture, form, setSent))
      setCroppedPicture(undefined)
    })
  }
  const remove = () => {
    setCroppedPicture(undefined)
    return runWithErrors(async () => {
      await callApi(account.removePicture, {})
      changeProfile({ profile_picture: null })
    })
  }

  const isBusy = sent !== undefined
  return (
    <AccountSection title={texts.profilePicture}>
      <PictureDropArea onFiles={handleFiles}>
        <Avatar name={profile.dj_name} picture={profile.profile_picture} size_px={96} />
        <Stack gap="sm" flex={1}>
          <Group gap="sm">
            <Button busy={isBusy} onClick={() => field.current?.click()}>
              {profile.profile_picture ? texts.changePicture : texts.addPicture}
            </Button>
            {profile.profile_picture && (
              <Button disabled={isBusy} onClick={() => void remove()}>
                {texts.remove}
              </Button>
            )}
          </Group>
          <Text size="sm" lh="inherit" mih={18} c="var(--text-3)">
            {isBusy ? <Progress share={sent} /> : texts.jpegPngOrWebpYou}
          </Text>
        </Stack>
      </PictureDropArea>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept="image/*"
        aria-label={texts.chooseAPicture}
        onChange={({ currentTarget }) => {
          handleFiles([...(currentTarget.files ?? [])])
          // Allows the same file to be chosen again.
          currentTarget.value = ''
        }}
      />
      {note && <Alert tone="note">{note}</Alert>}
      {errorMessage && <Alert tone="danger">{errorMessage}</Alert>}
      {errorMessage && croppedPicture && (
        <div>
          <Button onClick={() => void send(croppedPicture)}>{texts.tryAgain}</Button>
        </div>
      )}
      {file && (
        <CropDialog
          key={file.lastModified}
          file={file}
          onClose={() => setFile(undefined)}
          onCropped={(picture) => void send(picture)}
        />
      )}
    </AccountSection>
  )
}

const Progress = ({ share }: { share: number }) => (
  <progress
    style={{ width: 240, accentColor: 'var(--accent-ink)' }}
    value={share}
    max={1}
    aria-label={texts.uploadingPicture}
  />
)

/** An area that accepts dropped files. */
function PictureDropArea({ onFiles, children }: { onFiles: (files: File[]) => void; children: React.ReactNode }) {
  const [isOver, setOver] = useState(false)
  const handleDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <Group
      className={css.drop}
      gap={20}
      wrap="nowrap"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node) || setOver(false)}
      onDrop={handleDrop}
    >
      {children}
    </Group>
  )
}
