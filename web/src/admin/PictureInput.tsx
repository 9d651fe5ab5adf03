import { Box, FileButton, Group, Progress, Stack, Text } from '@mantine/core'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { useFileUrl } from '../ui/useFileUrl.ts'
import * as texts from './texts.ts'

/** The types of pictures that the server accepts. */
export const PICTURES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

type Upload = (picture: File, onProgress: (share: number) => void) => Promise<unknown>

/** A picture that is chosen now, and uploaded when the row it belongs to is saved. */
export function usePicture() {
  const [picture, choose] = useState<File>()
  /** The uploaded share, 0 to 1; undefined while nothing is uploaded. */
  const [progress, setProgress] = useState<number>()
  const url = useFileUrl(picture)
  const upload = async (send: Upload) => {
    if (!picture) return
    setProgress(0)
    await send(picture, setProgress).finally(() => setProgress(undefined))
  }
  return { picture, url, progress, choose, upload }
}

type Props = {
  chosen: Pick<ReturnType<typeof usePicture>, 'picture' | 'progress'> & { choose: (picture: File) => void }
  /** There is a picture, stored or chosen. */
  hasPicture: boolean
  /** Set if there is a picture that can be removed. */
  onRemove?: (() => void) | undefined
  /** The picture as it is shown now. */
  children: ReactNode
}

/** A picture, with buttons to choose another or remove it. A file can be dropped on it, too. */
export function PictureInput({ chosen: { picture, progress, choose }, hasPicture, onRemove, children }: Props) {
  // Allows choosing the same file again.
  const resetInput = useRef<() => void>(null)
  const chooseFile = (file: File | null | undefined) => {
    if (file) choose(file)
    resetInput.current?.()
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    chooseFile(event.dataTransfer.files[0])
  }
  return (
    <Box onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Group gap="lg" wrap="nowrap">
        {children}
        <Stack gap="sm" align="flex-start">
          <Group gap="sm">
            <FileButton
              accept={PICTURES}
              resetRef={resetInput}
              inputProps={{ 'aria-label': texts.picture }}
              onChange={chooseFile}
            >
              {({ onClick }) => (
                <Button onClick={onClick}>{hasPicture ? texts.replacePicture : texts.addPicture}</Button>
              )}
            </FileButton>
            {onRemove && <Button onClick={onRemove}>{texts.removePicture}</Button>}
          </Group>
          {progress === undefined ? (
            <Text fz="sm" c="var(--text-2)">
              {picture?.name ?? texts.jpegPngWebpAvifOr}
            </Text>
          ) : (
            <Progress w={200} value={progress * 100} aria-label={texts.uploadingPicture} />
          )}
        </Stack>
      </Group>
    </Box>
  )
}
