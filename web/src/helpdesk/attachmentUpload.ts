import { helpdesk } from '@dubplate/contract'
import { formatBytes } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

const { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } = helpdesk
const MAX_FILE_SIZE_TEXT = format(texts.mb, { size: MAX_ATTACHMENT_BYTES / 1024 / 1024 })

export const ATTACHMENT_LIMITS_TEXT = format(texts.upToFilesEach, { max: MAX_ATTACHMENTS, limit: MAX_FILE_SIZE_TEXT })

/** A file being uploaded. */
export type AttachmentUpload = {
  key: number
  file: File
  /** The part of its bytes that has been sent, 0 to 1. */
  share: number
  /** Why the upload failed; it can be retried. */
  complaint?: string
}

/** Why a file cannot be sent; '' if it can. */
export function fileError({ size }: Pick<File, 'size'>): string {
  if (size === 0) return texts.thisFileIsEmptyChoose
  return size > MAX_ATTACHMENT_BYTES
    ? format(texts.thisFileIsTooLarge, { size: formatBytes(size), limit: MAX_FILE_SIZE_TEXT })
    : ''
}

/** Why a message cannot be sent yet; '' if it can. */
export function uploadBlocker(sendings: readonly AttachmentUpload[]): string {
  if (sendings.some(({ complaint: validationError }) => validationError)) return texts.couldntAttachAFileRetry
  return sendings.length > 0 ? texts.uploadsUnfinished : ''
}
