import { account, type membership } from '@dubplate/contract'
import { type DragEvent, lazy, Suspense, useRef, useState } from 'react'
import { ask } from '../../platform/api.ts'
import { changeProfile } from '../../platform/session.ts'
import { upload } from '../../platform/upload.ts'
import { Button } from '../../ui/Button.tsx'
import * as texts from '../texts.ts'
import { complaintsOf } from '../useDialogForm.ts'
import { Alert } from './Alert.tsx'
import { Part } from './Part.tsx'
import css from './Picture.module.css'
import { Portrait } from './Portrait.tsx'
import { pictureOf } from './pictureFiles.ts'

const Crop = lazy(() => import('./Crop.tsx').then(({ Crop }) => ({ default: Crop })))

/** A member's picture: chosen or dropped, cut to a square, sent. */
export function Picture({ profile }: { profile: membership.Profile }) {
  const [file, setFile] = useState<File>()
  /** Cut, and not taken by the server yet. */
  const [cut, setCut] = useState<Blob>()
  const [note, setNote] = useState('')
  const [trouble, setTrouble] = useState('')
  /** The share that has gone out, 0 to 1; undefined while nothing is sent. */
  const [sent, setSent] = useState<number>()
  const field = useRef<HTMLInputElement>(null)

  const take = (files: File[]) => {
    const { file, trouble = '', note = '' } = pictureOf(files)
    setTrouble(trouble)
    setNote(note)
    setFile(file)
    setCut(undefined)
  }
  const attempt = async (work: () => Promise<void>) => {
    setTrouble('')
    setNote('')
    setSent(0)
    await work().catch((error) => setTrouble(complaintsOf(error)[0] ?? ''))
    setSent(undefined)
  }
  const send = (picture: Blob) => {
    setFile(undefined)
    setCut(picture)
    return attempt(async () => {
      const form = new FormData()
      form.append('UploadFilesForm[files]', picture, picture.type === 'image/webp' ? 'picture.webp' : 'picture.jpg')
      changeProfile(await upload(account.uploadPicture, form, setSent))
      setCut(undefined)
    })
  }
  const remove = () => {
    setCut(undefined)
    return attempt(async () => {
      await ask(account.removePicture, {})
      changeProfile({ profile_picture: null })
    })
  }

  const isBusy = sent !== undefined
  return (
    <Part title={texts.profilePicture}>
      <Dropping onFiles={take}>
        <Portrait name={profile.dj_name} picture={profile.profile_picture} size_px={96} />
        <div className={css.actions}>
          <div className={css.buttons}>
            <Button busy={isBusy} onClick={() => field.current?.click()}>
              {profile.profile_picture ? texts.changePicture : texts.addPicture}
            </Button>
            {profile.profile_picture && (
              <Button disabled={isBusy} onClick={() => void remove()}>
                {texts.remove}
              </Button>
            )}
          </div>
          <p className={css.hint}>{isBusy ? <Progress share={sent} /> : texts.jpegPngOrWebpYou}</p>
        </div>
      </Dropping>
      <input
        ref={field}
        type="file"
        hidden
        multiple
        accept="image/*"
        aria-label={texts.chooseAPicture}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])])
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
      {note && <Alert tone="note">{note}</Alert>}
      {trouble && <Alert tone="danger">{trouble}</Alert>}
      {trouble && cut && (
        <div>
          <Button onClick={() => void send(cut)}>{texts.tryAgain}</Button>
        </div>
      )}
      {file && (
        <Suspense>
          <Crop file={file} onClose={() => setFile(undefined)} onCut={(picture) => void send(picture)} />
        </Suspense>
      )}
    </Part>
  )
}

const Progress = ({ share }: { share: number }) => (
  <progress className={css.progress} value={share} max={1} aria-label={texts.uploadingPicture} />
)

/** Takes files that are dropped on it. */
function Dropping({ onFiles, children }: { onFiles: (files: File[]) => void; children: React.ReactNode }) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same without a drag
    <div
      className={css.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node) || setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  )
}
