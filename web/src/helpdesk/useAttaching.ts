import { helpdesk } from '@dubplate/contract'
import { useEffect, useRef, useState } from 'react'
import { format } from '../platform/message.ts'
import { upload } from '../platform/upload.ts'
import type { SentFile } from './message.ts'
import { complaintOf, type Sending } from './sending.ts'
import * as texts from './texts.ts'

type ChangeFiles = (change: (files: SentFile[]) => SentFile[]) => void

let lastKey = 0

/** Sends the files of a message while it is being written. What has arrived belongs to the message. */
export function useAttaching(attached: readonly SentFile[], changeFiles: ChangeFiles) {
  const [sendings, setSendings] = useState<Sending[]>([])
  const [tooMany, setTooMany] = useState('')
  /** The files that are still wanted; those that arrive later than they are taken back belong to nothing. */
  const wanted = useWanted()

  const changeOne = (key: number, change: Partial<Sending>) =>
    setSendings((were) => were.map((each) => (each.key === key ? { ...each, ...change } : each)))
  const drop = (key: number) => {
    wanted.delete(key)
    setSendings((were) => were.filter((each) => each.key !== key))
  }

  const send = async ({ key, file }: Sending) => {
    try {
      const sent = await sendFile(file, (share) => changeOne(key, { share }))
      if (!wanted.has(key)) return
      changeFiles((files) => [...files, ...sent])
      drop(key)
    } catch (error) {
      changeOne(key, { complaint: error instanceof Error ? error.message : texts.couldntUploadTheFileTry })
    }
  }
  const add = (files: File[]) => {
    const room = helpdesk.MOST_ATTACHMENTS - attached.length - sendings.length
    setTooMany(files.length > room ? format(texts.youCanAttachUpTo, { max: helpdesk.MOST_ATTACHMENTS }) : '')
    const added = files.slice(0, Math.max(0, room)).map((file) => newSending(file))
    setSendings((were) => [...were, ...added])
    for (const each of added) {
      wanted.add(each.key)
      if (!each.complaint) void send(each)
    }
  }
  const again = (sending: Sending) => {
    changeOne(sending.key, { share: 0, complaint: '' })
    void send(sending)
  }
  const remove = (name: string) => {
    setTooMany('')
    changeFiles((files) => files.filter((file) => file.name !== name))
  }
  return {
    sendings,
    tooMany,
    add,
    again,
    remove,
    drop: (key: number) => {
      setTooMany('')
      drop(key)
    },
    forget: () => {
      wanted.clear()
      setSendings([])
    },
  }
}

export type Attaching = ReturnType<typeof useAttaching>

function newSending(file: File): Sending {
  lastKey += 1
  return { key: lastKey, file, share: 0, complaint: complaintOf(file) }
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

/** None is wanted any more once the form is gone. */
function useWanted() {
  const wanted = useRef(new Set<number>()).current
  useEffect(() => () => wanted.clear(), [wanted])
  return wanted
}
