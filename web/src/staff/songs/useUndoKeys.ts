import { useEffect } from 'react'
import { undoLast } from './songActions.ts'

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog] *'

/** Ctrl+Z undoes the user's last edit, unless a field has the focus; Ctrl+Shift+Z and Ctrl+Y redo it. */
export function useUndoKeys() {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.repeat) return
      if (event.target instanceof Element && event.target.matches(TYPING)) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      void undoLast(key === 'y' || event.shiftKey ? 'redo' : 'undo')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
