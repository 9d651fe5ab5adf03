import 'react-easy-crop/react-easy-crop.css'
import { Group, Stack } from '@mantine/core'
import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { format } from '../../format/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useAction } from '../../ui/useAction.ts'
import { useFileUrl } from '../../ui/useFileUrl.ts'
import * as texts from '../texts.ts'
import css from './Account.module.css'
import { Alert } from './Alert.tsx'
import { cropPicture } from './cropPicture.ts'

const MAX_ZOOM = 4

type Props = { file: File; onClose: () => void; onCropped: (picture: Blob) => void }

/** Crops a picture to a square, moved by pointer or arrow keys and zoomed with a slider. */
export function CropDialog({ file, onClose, onCropped }: Props) {
  const picture = useFileUrl(file)
  const [cropPosition, setCropPosition] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [errorMessage, setErrorMessage] = useState('')

  const [cropAndSave, isBusy] = useAction(async () => {
    if (!area) return
    try {
      onCropped(await cropPicture(file, area))
    } catch (error) {
      setErrorMessage((error as Error).message)
    }
  })
  return (
    <Dialog title={texts.cropPicture} onClose={onClose}>
      <Stack gap="lg">
        <div className={css.crop}>
          {picture && !errorMessage && (
            <Cropper
              image={picture}
              crop={cropPosition}
              zoom={zoom}
              maxZoom={MAX_ZOOM}
              aspect={1}
              cropShape="round"
              showGrid={false}
              disableAutomaticStylesInjection
              classes={{ cropAreaClassName: css.area }}
              mediaProps={{
                alt: '',
                onError: () => setErrorMessage(format(texts.yourBrowserCantDisplayChoose, { name: file.name })),
              }}
              cropperProps={{
                role: 'group',
                'aria-label': texts.cropAreaUseTheArrow,
              }}
              onCropChange={setCropPosition}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
            />
          )}
        </div>
        <Group component="label" gap="md" wrap="nowrap" c="var(--text-2)">
          {texts.zoom}
          <input
            style={{ flex: 1, height: 24, accentColor: 'var(--accent-ink)' }}
            type="range"
            min={1}
            max={MAX_ZOOM}
            step={0.05}
            value={zoom}
            onChange={({ currentTarget }) => setZoom(currentTarget.valueAsNumber)}
          />
        </Group>
        {errorMessage && <Alert tone="danger">{errorMessage}</Alert>}
        <Group gap="sm" justify="flex-end">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button variant="primary" busy={isBusy} disabled={!area || errorMessage !== ''} onClick={() => cropAndSave()}>
            {texts.savePicture}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
