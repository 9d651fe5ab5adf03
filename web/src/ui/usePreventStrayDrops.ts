import { useEffect } from 'react'

/** A file that misses the place it was meant for would be opened by the browser in place of the page. */
export function usePreventStrayDrops() {
  useEffect(() => {
    const preventDefaultDrop = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    addEventListener('dragover', preventDefaultDrop)
    addEventListener('drop', preventDefaultDrop)
    return () => {
      removeEventListener('dragover', preventDefaultDrop)
      removeEventListener('drop', preventDefaultDrop)
    }
  }, [])
}
