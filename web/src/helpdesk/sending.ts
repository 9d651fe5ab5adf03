import { helpdesk } from '@dubplate/contract'
import { byteSize } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

const { LARGEST_ATTACHMENT_BYTES, MOST_ATTACHMENTS } = helpdesk
const LARGEST = format(texts.mb, { size: LARGEST_ATTACHMENT_BYTES / 1024 / 1024 })

export const LIMITS_IN_WORDS = format(texts.upToFilesEach, { max: MOST_ATTACHMENTS, limit: LARGEST })

/** A file on its way. */
export type Sending = {
  key: number
  file: File
  /** Of its bytes that have gone out, 0 to 1. */
  share: number
  /** Why it was not taken; it can be tried again. */
  complaint?: string
}

/** Why a file cannot be sent at all; '' when it can. */
export function complaintOf({ size }: Pick<File, 'size'>): string {
  if (size === 0) return texts.thisFileIsEmptyChoose
  return size > LARGEST_ATTACHMENT_BYTES
    ? format(texts.thisFileIsTooLarge, { size: byteSize(size), limit: LARGEST })
    : ''
}

/** Why a message cannot go out yet; '' when it can. */
export function filesInTheWay(sendings: readonly Sending[]): string {
  if (sendings.some(({ complaint }) => complaint)) return texts.couldntAttachAFileRetry
  return sendings.length > 0 ? texts.waitForTheUploadsTo : ''
}
