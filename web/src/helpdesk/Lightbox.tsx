import type { helpdesk } from '@dubplate/contract'
import { Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload } from '@tabler/icons-react'
import { useEffect } from 'react'
import { format } from '../format/message.ts'
import { Dialog } from '../ui/Dialog.tsx'
import icon from '../ui/IconButton.module.css'
import { IconButton } from '../ui/IconButton.tsx'
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
  const move = (step: number) => onMove((at + step + images.length) % images.length)
  useEffect(() => {
    const handleKey = ({ key }: KeyboardEvent) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[key]
      if (step) move(step)
    }
    addEventListener('keydown', handleKey)
    return () => removeEventListener('keydown', handleKey)
  })
  const image = images[at]
  if (!image) return null
  return (
    <Dialog title={image.filename} size="auto" onClose={onClose}>
      <Group gap={4} justify="center" mb="sm">
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
      </Group>
      <img
        src={image.file_path}
        alt={image.filename}
        style={{ display: 'block', margin: 'auto', maxWidth: '100%', minHeight: 120, maxHeight: 'calc(90dvh - 130px)' }}
      />
    </Dialog>
  )
}
