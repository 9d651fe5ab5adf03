import { helpdesk } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { format } from '../platform/message.ts'
import { upload } from '../platform/upload.ts'
import { type AttachmentUpload, fileError } from './attachmentUpload.ts'
import type { SentFile } from './message.ts'
import * as texts from './texts.ts'

type ChangeFiles = (change: (files: SentFile[]) => SentFile[]) => void

let lastKey = 0

/** Uploads the files of a message while it is being written. Uploaded files become part of the message. */
export function useAttachments(attached: readonly SentFile[], changeFiles: ChangeFiles) {
  const [sendings, setSendings] = useState<AttachmentUpload[]>([])
  const [tooManyText, setTooManyText] = useState('')
  /** Removed files must not be added to the message when their upload completes later. */
  const isMounted = useIsMounted()

  const updateSending = (key: number, change: Partial<AttachmentUpload>) =>
    setSendings((previous) => previous.map((each) => (each.key === key ? { ...each, ...change } : each)))
  const discardSending = (key: number) => {
    isMounted.delete(key)
    setSendings((previous) => previous.filter((each) => each.key !== key))
  }

  const send = async ({ key, file }: AttachmentUpload) => {
    try {
      const sent = await sendFile(file, (share) => updateSending(key, { share }))
      if (!isMounted.has(key)) return
      changeFiles((files) => [...files, ...sent])
      discardSending(key)
    } catch (error) {
      updateSending(key, { complaint: error instanceof Error ? error.message : texts.couldntUploadTheFileTry })
    }
  }
  const add = (files: File[]) => {
    const freeSlots = helpdesk.MAX_ATTACHMENTS - attached.length - sendings.length
    setTooManyText(files.length > freeSlots ? format(texts.tooManyAttachments, { max: helpdesk.MAX_ATTACHMENTS }) : '')
    const added = files.slice(0, Math.max(0, freeSlots)).map((file) => createUpload(file))
    setSendings((previous) => [...previous, ...added])
    for (const each of added) {
      isMounted.add(each.key)
      if (!each.complaint) void send(each)
    }
  }
  const retry = (sending: AttachmentUpload) => {
    updateSending(sending.key, { share: 0, complaint: '' })
    void send(sending)
  }
  const remove = (name: string) => {
    setTooManyText('')
    changeFiles((files) => files.filter((file) => file.name !== name))
  }
  return {
    sendings,
    tooMany: tooManyText,
    add,
    again: retry,
    remove,
    drop: (key: number) => {
      setTooManyText('')
      discardSending(key)
    },
    forget: () => {
      isMounted.clear()
      setSendings([])
    },
  }
}

export type AttachmentState = ReturnType<typeof useAttachments>

function createUpload(file: File): AttachmentUpload {
  lastKey += 1
  return { key: lastKey, file, share: 0, complaint: fileError(file) }
}

async function sendFile(file: File, onProgress: (share: number) => void): Promise<SentFile[]> {
  const form = new FormData()
  form.append('UploadAttachmentsForm[attachments][0]', file, file.name)
  const { UploadAttachmentsForm, attachments } = await upload(helpdesk.uploadAttachments, form, onProgress)
  return UploadAttachmentsForm.name.attachments.map((name, i) => ({
    name,
    filename: attachments[i]?.filename ?? file.name,
    bytes: attachments[i]?.bytes ?? file.size,
  }))
}

/** False after the form has been closed; its uploads are then ignored. */
function useIsMounted() {
  const isMounted = useRef(new Set<number>()).current
  useEffect(() => () => isMounted.clear(), [isMounted])
  return isMounted
}
