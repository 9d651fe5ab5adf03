import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import forms from './Forms.module.css'
import { PictureFile } from './PictureFile.tsx'
import * as texts from './texts.ts'

type Send = (picture: File, onSent: (share: number) => void) => Promise<unknown>

/** A picture that is chosen now and uploaded when the item it belongs to is saved. */
export function usePicture() {
  const [picture, choose] = useState<File>()
  /** The uploaded share, 0 to 1; undefined while nothing is being uploaded. */
  const [sent, setSent] = useState<number>()
  const address = useFileAddress(picture)
  const send = async (to: Send) => {
    if (!picture) return
    setSent(0)
    await to(picture, setSent).finally(() => setSent(undefined))
  }
  return { picture, address, sent, choose, send }
}

type Props = {
  chosen: ReturnType<typeof usePicture>
  isShown: boolean
  className: string | undefined
  /** Set when there is a picture that can be removed. */
  onRemove?: (() => void) | undefined
  /** The current picture. */
  children: ReactNode
}

/** Lets staff choose or drop a picture. */
export function PictureChoice({ chosen: { picture, sent, choose }, isShown, className, onRemove, children }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    const [file] = event.dataTransfer.files
    if (file) choose(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same without a drag
    <div className={className} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      {children}
      <Button onClick={() => field.current?.click()}>{isShown ? texts.replacePicture : texts.addPicture}</Button>
      {onRemove && <Button onClick={onRemove}>{texts.removePicture}</Button>}
      {sent === undefined ? (
        <p className={forms.hint}>{picture?.name ?? texts.jpegPngWebpAvifOr}</p>
      ) : (
        <progress value={sent} max={1} aria-label={texts.uploadingPicture} />
      )}
      <PictureFile field={field} onChoose={choose} />
    </div>
  )
}

/** A blob URL of a file, for as long as it is shown. */
function useFileAddress(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!file) return setAddress(undefined)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}
