import type { helpdesk } from '@dubplate/contract'
import { Box, Group, Text } from '@mantine/core'
import { IconFile, IconPhotoOff } from '@tabler/icons-react'
import { useState } from 'react'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import * as texts from './texts.ts'

const Lightbox = lazyOnDemand(() => import('./Lightbox.tsx').then(({ Lightbox }) => Lightbox))

type Attachment = helpdesk.Attachment

/** The attachments of a message: pictures open in a lightbox, other files are downloaded. */
export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  const [open, setOpen] = useState<number>()
  const images = attachments.filter(({ is_image }) => is_image)
  const files = attachments.filter(({ is_image }) => !is_image)
  if (attachments.length === 0) return null
  return (
    <>
      <Group component="ul" gap="sm" aria-label={texts.attachedFiles}>
        {images.map((image, at) => (
          <li key={image.ticket_file_id}>
            <Thumbnail image={image} onOpen={() => setOpen(at)} />
          </li>
        ))}
        {files.map(({ ticket_file_id, file_path, filename, bytes }) => (
          <Box key={ticket_file_id} component="li" maw="100%">
            <Group
              gap="sm"
              wrap="nowrap"
              maw={340}
              mih={40}
              px="md"
              bdrs="md"
              bg="var(--surface-3)"
              renderRoot={(props) => <a href={`${file_path}?download=1`} download={filename} {...props} />}
            >
              <IconFile size={18} style={{ flex: 'none' }} aria-hidden />
              <Text fz="sm" truncate>
                {filename}
              </Text>
              <Text component="small" className="num" fz="xs">
                {formatBytes(bytes)}
              </Text>
            </Group>
          </Box>
        ))}
      </Group>
      {open !== undefined && <Lightbox images={images} at={open} onMove={setOpen} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function Thumbnail({ image: { file_path, filename }, onOpen }: { image: Attachment; onOpen: () => void }) {
  // Each reply signs the URL again; the picture that has already loaded is kept.
  const [shown, setShown] = useState(file_path)
  const [isBroken, setBroken] = useState(false)
  const handleImageError = () => (shown === file_path ? setBroken(true) : setShown(file_path))
  return (
    <Box
      component="button"
      type="button"
      w={96}
      h={96}
      bd="1px solid var(--line)"
      bdrs="md"
      bg="var(--surface-2)"
      c="var(--text-3)"
      style={{ overflow: 'hidden' }}
      title={filename}
      aria-label={format(texts.show, { filename })}
      onClick={onOpen}
    >
      {isBroken ? (
        <IconPhotoOff size={24} aria-hidden />
      ) : (
        <img
          src={shown}
          alt=""
          loading="lazy"
          width={96}
          height={96}
          style={{ objectFit: 'cover' }}
          onError={handleImageError}
        />
      )}
    </Box>
  )
}
