import { curation } from '@dubplate/contract'
import { IconDice3, IconPencil, IconPhoto } from '@tabler/icons-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { imageAt } from '../../platform/media.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { upload } from '../../platform/upload.ts'
import { Button } from '../../ui/Button.tsx'
import { Complaint } from '../forms/Complaint.tsx'
import forms from '../forms/Forms.module.css'
import { PictureFile } from '../forms/PictureFile.tsx'
import css from './ListEdit.module.css'
import { anySeed, type ListEntry } from './listEntry.ts'
import * as texts from './texts.ts'

type Props = {
  typed: Pick<ListEntry, 'title' | 'cover_seed' | 'artwork'>
  onChange: (change: Pick<ListEntry, 'cover_seed' | 'artwork'>) => void
}

const PAUSE_MS = 300

/** A cover: generated, and regenerated as often as wanted, or uploaded. */
export function CoverChoice({ typed: { title, cover_seed, artwork }, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { drawn, trouble: notDrawn } = useDrawn(title, cover_seed, artwork === null)
  const [sent, setSent] = useState<number>()
  const [trouble, setTrouble] = useState('')
  const send = async (file: File | undefined) => {
    if (!file) return
    setTrouble('')
    setSent(0)
    const form = new FormData()
    form.append('picture', file)
    try {
      onChange({ cover_seed, artwork: await upload(curation.uploadCover, form, setSent) })
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : texts.couldntUploadThePictureTry)
    }
    setSent(undefined)
  }
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    void send(file)
  }
  const shown = artwork ? imageAt(artwork.image, 320) : drawn
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same without a drag
    <div
      className={css.cover}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={drop}
    >
      {shown ? <img src={shown} alt={texts.cover} width={152} height={152} /> : <i className={css.noCover} />}
      <div className={css.coverDoes}>
        {artwork ? (
          <Button onClick={() => onChange({ cover_seed, artwork: null })}>
            <IconPencil size={16} aria-hidden />
            {texts.generateCover}
          </Button>
        ) : (
          <Button onClick={() => onChange({ cover_seed: anySeed(), artwork: null })}>
            <IconDice3 size={16} aria-hidden />
            {texts.shuffleCover}
          </Button>
        )}
        <Button onClick={() => field.current?.click()} busy={sent !== undefined}>
          <IconPhoto size={16} aria-hidden />
          {texts.uploadPicture}
        </Button>
        {sent !== undefined && <progress value={sent} max={1} aria-label={texts.uploadingPicture} />}
        <p className={forms.hint}>{format(texts.jpegPngWebpAvifOr, { LARGEST_COVER_MB: curation.MAX_COVER_MB })}</p>
        <Complaint of={trouble || notDrawn} />
      </div>
      <PictureFile field={field} onChoose={(picture) => void send(picture)} />
    </div>
  )
}

/** The generated cover. It shows the title, so it is drawn again shortly after the last keystroke. */
function useDrawn(title: string, cover_seed: number, when: boolean) {
  const [settled, setSettled] = useState(title)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(title), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [title])
  const { data, error } = useApiQuery(
    curation.drawCover,
    { title: settled.trim(), cover_seed },
    { enabled: when, keepPrevious: true },
  )
  // When it cannot be loaded (offline), the previous one stays.
  const last = useRef<string>(undefined)
  last.current = data?.image ?? last.current
  return { drawn: last.current, trouble: error && !data ? error.message : '' }
}
