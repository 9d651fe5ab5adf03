import type { RefObject } from 'react'
import * as texts from './texts.ts'

const PICTURES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

type Props = { field: RefObject<HTMLInputElement | null>; onChoose: (picture: File | undefined) => void }

/** Where a picture is chosen; a button beside it opens it. */
export const PictureFile = ({ field, onChoose }: Props) => (
  <input
    ref={field}
    type="file"
    hidden
    accept={PICTURES}
    aria-label={texts.picture}
    onChange={({ currentTarget }) => {
      onChoose(currentTarget.files?.[0])
      // The same file may be chosen again.
      currentTarget.value = ''
    }}
  />
)
