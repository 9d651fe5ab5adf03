import { account } from '@dubplate/contract'
import { byteSize } from '../../platform/format.ts'

/** Larger than what is sent: it is cut to a small square here first. */
const LARGEST_CHOSEN_BYTES = 50 * 1024 * 1024

type Taken = { file?: File; note?: string; trouble?: string }

/** Of the files somebody chose the one that becomes the picture, or why none does. */
export function pictureOf(files: File[]): Taken {
  const [first] = files
  if (!first) return {}
  if (files.length > account.MOST_PICTURES) return { trouble: `Choose at most ${account.MOST_PICTURES} files.` }
  if (first.type && !first.type.startsWith('image/'))
    return { trouble: `${first.name} isn’t an image. Choose a JPEG, PNG or WebP file.` }
  if (first.size > LARGEST_CHOSEN_BYTES)
    return {
      trouble: `${first.name} is too large (${byteSize(first.size)}). Choose a file up to ${byteSize(LARGEST_CHOSEN_BYTES)}.`,
    }
  return files.length > 1 ? { file: first, note: `Using the first file: ${first.name}.` } : { file: first }
}
