import { account } from '@dubplate/contract'
import { formatBytes } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import * as texts from '../texts.ts'

/** Larger than what is uploaded, because the picture is cropped to a small square first. */
const MAX_PICTURE_BYTES = 50 * 1024 * 1024

type PickedPicture = { file?: File; note?: string; errorMessage?: string }

/** The file that becomes the picture, or why none of them can. */
export function pickPicture(files: File[]): PickedPicture {
  const [first] = files
  if (!first) return {}
  if (files.length > account.MAX_PICTURES)
    return { errorMessage: format(texts.chooseAtMostFiles, { max: account.MAX_PICTURES }) }
  if (first.type && !first.type.startsWith('image/'))
    return { errorMessage: format(texts.fileIsNotAnImage, { name: first.name }) }
  if (first.size > MAX_PICTURE_BYTES)
    return {
      errorMessage: format(texts.fileTooLarge, {
        name: first.name,
        size: formatBytes(first.size),
        limit: formatBytes(MAX_PICTURE_BYTES),
      }),
    }
  return files.length > 1
    ? { file: first, note: format(texts.usingTheFirstFile, { name: first.name }) }
    : { file: first }
}
