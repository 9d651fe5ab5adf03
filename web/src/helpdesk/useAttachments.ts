import { helpdesk } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import { upload } from '../platform/upload.ts'
import * as texts from './texts.ts'

const { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } = helpdesk
const MAX_FILE_SIZE_TEXT = format(texts.mb, { size: MAX_ATTACHMENT_BYTES / 1024 / 1024 })

export const ATTACHMENT_LIMITS_TEXT = format(texts.upToFilesEach, { max: MAX_ATTACHMENTS, limit: MAX_FILE_SIZE_TEXT })

/** An uploaded file whose message has not been sent yet; the server knows it by `name`. */
export type AttachedFile = { name: string; filename: string; bytes: number }

/** A file being uploaded. */
export type AttachmentUpload = {
  key: number
  file: File
  /** The part of its bytes that has been sent, 0 to 1. */
  share: number
  /** Why the upload failed; '' while it has not. */
  error: string
}

/** Why a file cannot be sent; '' if it can. */
export function fileError({ size }: Pick<File, 'size'>): string {
  if (size === 0) return texts.thisFileIsEmptyChoose
  return size > MAX_ATTACHMENT_BYTES
    ? format(texts.thisFileIsTooLarge, { size: formatBytes(size), limit: MAX_FILE_SIZE_TEXT })
    : ''
}

/** Why a message cannot be sent yet; '' if it can. */
export function uploadBlocker(uploads: readonly Pick<AttachmentUpload, 'error'>[]): string {
  if (uploads.some(({ error }) => error)) return texts.couldntAttachAFileRetry
  return uploads.length > 0 ? texts.uploadsUnfinished : ''
}

let lastKey = 0

/** Uploads the files of a message while it is being written. Uploaded files become part of the message. */
export function useAttachments(getFiles: () => readonly AttachedFile[], setFiles: (files: AttachedFile[]) => void) {
  const [uploads, setUploads] = useState<AttachmentUpload[]>([])
  const [limitError, setLimitError] = useState('')
  /** The keys of the uploads that still belong to the message: none once its form is closed. */
  const currentKeys = useRef(new Set<number>())
  useEffect(() => {
    const keys = currentKeys.current
    return () => keys.clear()
  }, [])

  const updateUpload = (key: number, change: Partial<AttachmentUpload>) =>
    setUploads((uploads) => uploads.map((each) => (each.key === key ? { ...each, ...change } : each)))
  const endUpload = (key: number) => {
    currentKeys.current.delete(key)
    setUploads((uploads) => uploads.filter((each) => each.key !== key))
  }
  const start = async ({ key, file }: AttachmentUpload) => {
    try {
      const attached = await uploadFile(file, (share) => updateUpload(key, { share }))
      if (!currentKeys.current.has(key)) return
      setFiles([...getFiles(), ...attached])
      endUpload(key)
    } catch (error) {
      updateUpload(key, { error: error instanceof Error ? error.message : texts.couldntUploadTheFileTry })
    }
  }
  const add = (files: File[]) => {
    const freeSlots = Math.max(0, MAX_ATTACHMENTS - getFiles().length - uploads.length)
    setLimitError(files.length > freeSlots ? format(texts.tooManyAttachments, { max: MAX_ATTACHMENTS }) : '')
    const added = files.slice(0, freeSlots).map((file) => ({ key: ++lastKey, file, share: 0, error: fileError(file) }))
    setUploads((uploads) => [...uploads, ...added])
    for (const each of added) {
      currentKeys.current.add(each.key)
      if (!each.error) void start(each)
    }
  }
  return {
    uploads,
    limitError,
    add,
    retry: (failed: AttachmentUpload) => {
      updateUpload(failed.key, { share: 0, error: '' })
      void start(failed)
    },
    remove: (name: string) => {
      setLimitError('')
      setFiles(getFiles().filter((file) => file.name !== name))
    },
    cancel: (key: number) => {
      setLimitError('')
      endUpload(key)
    },
    cancelAll: () => {
      currentKeys.current.clear()
      setUploads([])
    },
  }
}

export type Attachments = ReturnType<typeof useAttachments>

async function uploadFile(file: File, onProgress: (share: number) => void): Promise<AttachedFile[]> {
  const form = new FormData()
  form.append('UploadAttachmentsForm[attachments][0]', file, file.name)
  const { UploadAttachmentsForm, attachments } = await upload(helpdesk.uploadAttachments, form, onProgress)
  return UploadAttachmentsForm.name.attachments.map((name, i) => ({
    name,
    filename: attachments[i]?.filename ?? file.name,
    bytes: attachments[i]?.bytes ?? file.size,
  }))
}
