import { curation } from '@dubplate/contract'
import { FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDice3, IconPencil, IconPhoto } from '@tabler/icons-react'
import { type DragEvent, useRef, useState } from 'react'
import { PICTURES } from '../../admin/PictureInput.tsx'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { format } from '../../format/message.ts'
import { imageAt } from '../../platform/media.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { upload } from '../../platform/upload.ts'
import { messagesOf } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { type ListValues, randomSeed } from './listValues.ts'
import * as texts from './texts.ts'

type Props = {
  values: Pick<ListValues, 'title' | 'cover_seed' | 'artwork'>
  onChange: (change: Pick<ListValues, 'cover_seed' | 'artwork'>) => void
}

/** A cover: generated, and regenerated as often as wanted, or uploaded. */
export function CoverInput({ values: { title, cover_seed, artwork }, onChange }: Props) {
  const generated = useGeneratedCover(title, cover_seed, artwork === null)
  // Allows choosing the same file again.
  const resetInput = useRef<() => void>(null)
  /** The uploaded share, 0 to 1; undefined while nothing is uploaded. */
  const [progress, setProgress] = useState<number>()
  const [messages, setMessages] = useState<readonly string[]>([])
  const send = async (file: File | null | undefined) => {
    resetInput.current?.()
    if (!file) return
    setMessages([])
    setProgress(0)
    const body = new FormData()
    body.append('picture', file)
    try {
      onChange({ cover_seed, artwork: await upload(curation.uploadCover, body, setProgress) })
    } catch (error) {
      setMessages(messagesOf(error))
    }
    setProgress(undefined)
  }
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    void send(file)
  }
  const url = artwork ? imageAt(artwork.image, 320) : generated.url
  return (
    <Group
      align="start"
      wrap="nowrap"
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={drop}
    >
      <Stack
        w={152}
        h={152}
        bg="var(--surface-3)"
        style={{ borderRadius: 'var(--r-lg)', overflow: 'hidden', flexShrink: 0 }}
      >
        {url && <img src={url} alt={texts.cover} width={152} height={152} style={{ objectFit: 'cover' }} />}
      </Stack>
      <Stack gap="sm" align="start" w={190}>
        {artwork ? (
          <Button onClick={() => onChange({ cover_seed, artwork: null })}>
            <IconPencil size={16} aria-hidden />
            {texts.generateCover}
          </Button>
        ) : (
          <Button onClick={() => onChange({ cover_seed: randomSeed(), artwork: null })}>
            <IconDice3 size={16} aria-hidden />
            {texts.shuffleCover}
          </Button>
        )}
        <FileButton
          accept={PICTURES}
          resetRef={resetInput}
          inputProps={{ 'aria-label': texts.cover }}
          onChange={(file) => void send(file)}
        >
          {({ onClick }) => (
            <Button onClick={onClick} busy={progress !== undefined}>
              <IconPhoto size={16} aria-hidden />
              {texts.uploadPicture}
            </Button>
          )}
        </FileButton>
        {progress !== undefined && <Progress w="100%" value={progress * 100} aria-label={texts.uploadingPicture} />}
        <Text fz="sm" c="var(--text-2)">
          {format(texts.jpegPngWebpAvifOr, { LARGEST_COVER_MB: curation.MAX_COVER_MB })}
        </Text>
        <FormMessages messages={generated.error ? [...messages, generated.error] : messages} />
      </Stack>
    </Group>
  )
}

/** Time to wait after the last key, in ms. */
const PAUSE_MS = 300

/** The generated cover. It shows the title, so it is drawn again shortly after the last key. */
function useGeneratedCover(title: string, cover_seed: number, enabled: boolean) {
  const [settled] = useDebouncedValue(title, PAUSE_MS)
  const { data, error } = useApiQuery(
    curation.drawCover,
    { title: settled.trim(), cover_seed },
    { enabled, keepPrevious: true },
  )
  return { url: data?.image, error: error && !data ? error.message : undefined }
}
