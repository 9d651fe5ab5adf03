import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import forms from './Forms.module.css'
import { PictureFile } from './PictureFile.tsx'
import * as texts from './texts.ts'

type Send = (picture: File, onSent: (share: number) => void) => Promise<unknown>

/** A picture that is chosen, and sent when what it is of is saved. */
export function usePicture() {
  const [picture, choose] = useState<File>()
  /** The share that has gone out; undefined while nothing is sent. */
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
  /** Where there is one to take away. */
  onRemove?: (() => void) | undefined
  /** The picture as it stands. */
  children: ReactNode
}

/** A picture that is chosen or dropped. */
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

/** An address of a file within this page, for as long as it is shown. */
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
