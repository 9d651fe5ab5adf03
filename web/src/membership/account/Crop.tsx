import 'react-easy-crop/react-easy-crop.css'
import { useEffect, useId, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import * as texts from '../texts.ts'
import { Alert } from './Alert.tsx'
import css from './Crop.module.css'
import { cutPicture } from './cutPicture.ts'

const MOST_ZOOM = 4

type Props = { file: File; onClose: () => void; onCut: (picture: Blob) => void }

/** Chooses the square of a picture that is used: moved by hand or with the arrow keys, zoomed with a slider. */
export function Crop({ file, onClose, onCut }: Props) {
  const picture = useAddress(file)
  const [place, setPlace] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const zoomId = useId()

  const cut = async () => {
    if (!area) return
    setBusy(true)
    try {
      onCut(await cutPicture(file, area))
    } catch (error) {
      setTrouble((error as Error).message)
      setBusy(false)
    }
  }
  return (
    <Dialog title={texts.cropPicture} onClose={onClose}>
      <div className={css.crop}>
        <div className={css.stage}>
          {picture && !trouble && (
            <Cropper
              image={picture}
              crop={place}
              zoom={zoom}
              maxZoom={MOST_ZOOM}
              aspect={1}
              cropShape="round"
              showGrid={false}
              disableAutomaticStylesInjection
              classes={{ cropAreaClassName: css.area }}
              mediaProps={{
                alt: '',
                onError: () => setTrouble(format(texts.yourBrowserCantDisplayChoose, { name: file.name })),
              }}
              cropperProps={{
                role: 'group',
                'aria-label': texts.cropAreaUseTheArrow,
              }}
              onCropChange={setPlace}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
            />
          )}
        </div>
        <label className={css.zoom} htmlFor={zoomId}>
          {texts.zoom}
          <input
            id={zoomId}
            type="range"
            min={1}
            max={MOST_ZOOM}
            step={0.05}
            value={zoom}
            onChange={({ currentTarget }) => setZoom(currentTarget.valueAsNumber)}
          />
        </label>
        {trouble && <Alert tone="danger">{trouble}</Alert>}
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" busy={isBusy} disabled={!area || trouble !== ''} onClick={() => void cut()}>
            {texts.savePicture}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** An address of a file within this page, for as long as it is shown. */
function useAddress(file: File): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
