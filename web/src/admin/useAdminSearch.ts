import { useCallback, useEffect, useState } from 'react'

/** Opens the search of the back office with Ctrl + K. */
export function useAdminSearch() {
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  const close = useCallback(() => setOpen(false), [])
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return
      // In a rich text field, the same keys add a link.
      if (event.defaultPrevented) return
      event.preventDefault()
      setOpen((isOpen) => !isOpen)
    }
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [])
  return { isOpen, open, close }
}
