import { useEffect, useState } from 'react'

/** A blob URL of a file, for as long as it is shown; undefined without a file. */
export function useFileUrl(file: File | undefined): string | undefined {
  const [created, setCreated] = useState<{ file: File; url: string }>()
  useEffect(() => {
    if (!file) return
    const url = URL.createObjectURL(file)
    // eslint-disable-next-line react-hooks/set-state-in-effect -- the browser keeps it until it is revoked
    setCreated({ file, url })
    return () => URL.revokeObjectURL(url)
  }, [file])
  return created?.file === file ? created?.url : undefined
}
