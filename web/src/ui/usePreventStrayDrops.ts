import { useEffect } from 'react'

/** Without this, the browser would open a file that is dropped outside a drop area in place of the page. */
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
