import { useEffect, useState } from 'react'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'

/** Native modal dialogs (the drawer, the player's sheet) would cover everything, including the palette. */
const closeBrowserDialogs = () => {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close()
}

/** Offline, without its code, there is no palette: the search box gets the focus instead. */
const focusSearch = () => document.querySelector<HTMLInputElement>('#q')?.focus()

const Palette = lazyOnDemand(() => import('./Palette.tsx').then(({ Palette }) => Palette), focusSearch)

/**
 * The command palette, loaded when it is first opened. The player's keyboard shortcuts open and close it with an event.
 */
export function PaletteOpener() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const toggle = () => {
      closeBrowserDialogs()
      setOpen((open) => !open)
    }
    addEventListener('dubplate:palette', toggle)
    return () => removeEventListener('dubplate:palette', toggle)
  }, [])
  return isOpen && <Palette onClose={() => setOpen(false)} />
}
