import { type ComponentType, useEffect, useState } from 'react'
import type { PaletteProps } from './Palette.tsx'

/** Modal dialogs of the browser itself (the drawer, the player's sheet) would lie above everything, the palette too. */
const closeBrowserDialogs = () => {
  for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close()
}

/** Offline, before its code was ever fetched, there is no palette: the search takes what is typed. */
const focusSearch = () => document.querySelector<HTMLInputElement>('#q')?.focus()

/** The command palette, fetched when it is first asked for. The keys of the player ask with an event, and again to close it. */
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
