import { type ComponentType, useEffect, useState } from 'react'
import type { PaletteProps } from './Palette.tsx'

/** Native modal dialogs (the drawer, the player's sheet) would cover everything, including the palette. */
const closeBrowserDialogs = () => {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close()
}

/** Offline, without its code, there is no palette: the search box gets the focus instead. */
const focusSearch = () => document.querySelector<HTMLInputElement>('#q')?.focus()

/**
 * The command palette, loaded when it is first opened. The player's keyboard shortcuts open and close it with an event.
 */
export function PaletteOpener() {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps>>()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const toggle = () => {
      closeBrowserDialogs()
      setOpen((open) => !open)
      void import('./Palette.tsx').then(({ Palette }) => setPalette(() => Palette), focusSearch)
    }
    addEventListener('dubplate:palette', toggle)
    return () => removeEventListener('dubplate:palette', toggle)
  }, [])
  return isOpen && Palette ? <Palette onClose={() => setOpen(false)} /> : null
}
