import type { RefObject } from 'react'
import * as texts from './texts.ts'

const PICTURES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

type Props = { field: RefObject<HTMLInputElement | null>; onChoose: (picture: File | undefined) => void }

/** A hidden file input; a button next to it opens it. */
export const PictureFile = ({ field, onChoose }: Props) => (
  <input
    ref={field}
    type="file"
    hidden
    accept={PICTURES}
    aria-label={texts.picture}
    onChange={({ currentTarget }) => {
      onChoose(currentTarget.files?.[0])
      // Allows choosing the same file again.
      currentTarget.value = ''
    }}
  />
)
