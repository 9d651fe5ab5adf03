import type { helpdesk } from '@dubplate/contract'
import { IconChevronLeft, IconChevronRight, IconDownload, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { format } from '../platform/message.ts'
import icon from '../ui/IconButton.module.css'
import { IconButton } from '../ui/IconButton.tsx'
import css from './Lightbox.module.css'
import * as texts from './texts.ts'

type Props = {
  images: readonly helpdesk.Attachment[]
  /** The index of the picture shown. */
  at: number
  onMove: (at: number) => void
  onClose: () => void
}

/** A picture at full size over the page; the arrow keys move to the others. */
export function Lightbox({ images, at, onMove, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const image = images[at]
  if (!image) return null
  const move = (step: number) => onMove((at + step + images.length) % images.length)
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step && images.length > 1) move(step)
  }
  return (
    <dialog
      ref={dialog}
      className={css.box}
      aria-label={image.filename}
      onClose={onClose}
      onKeyDown={press}
      // A click next to the picture closes the dialog.
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
    >
      <div className={css.bar}>
        <span>{image.filename}</span>
        {images.length > 1 && (
          <>
            <IconButton label={texts.previousPicture} shortcut="←" onClick={() => move(-1)}>
              <IconChevronLeft size={18} />
            </IconButton>
            <IconButton label={texts.nextPicture} shortcut="→" onClick={() => move(1)}>
              <IconChevronRight size={18} />
            </IconButton>
          </>
        )}
        <a
          href={`${image.file_path}?download=1`}
          download={image.filename}
          className={icon.button}
          aria-label={format(texts.download, { filename: image.filename })}
          title={format(texts.download, { filename: image.filename })}
        >
          <IconDownload size={18} />
        </a>
        <IconButton label={texts.close} shortcut={texts.escapeKey} onClick={() => dialog.current?.close()}>
          <IconX size={18} />
        </IconButton>
      </div>
      <img src={image.file_path} alt={image.filename} className={css.image} />
    </dialog>
  )
}
