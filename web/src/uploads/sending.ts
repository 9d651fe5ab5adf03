import { uploads } from '@dubplate/contract'
import type { Upload } from 'tus-js-client'
import { format } from '../format/message.ts'
import { deleteHandle, deleteHandles, saveHandle } from '../platform/handleStore.ts'
import { endSession, useSession } from '../platform/session.ts'
import { toast } from '../ui/toast.ts'
import { fileRejectionReason } from './fileRejection.ts'
import type { FileChoice } from './fileSystemAccess.ts'
import { refetchContainer } from './files.ts'
import { computeSha256 } from './hashing.ts'
import { rateOf, type Sample, withSample } from './rate.ts'
import { deleteStoredUpload, prepareUpload, type UploadCallbacks } from './resumable.ts'
import { resumePermitted, resumeUnfinishedUploads } from './resuming.ts'
import {
  addArrivedUpload,
  change,
  clearArrivedUploads,
  find,
  type Sending,
  sendingsInState,
  useSending,
} from './sendings.ts'
import * as texts from './texts.ts'
import {
  replaceUnfinished,
  saveUnfinishedUploads,
  showUnfinished,
  takeMatchingUnfinished,
  takeUnfinished,
  type Unfinished,
  withFormId,
} from './unfinishedUploads.ts'
import { lockUpload, unlockUpload } from './uploadLocks.ts'

type SendingResources = {
  file: File
  /** Opens the file again after a reload. */
  handle?: FileSystemFileHandle | undefined
  /** The id of the handle, once it is stored. */
  handleId?: string | undefined
  sha256?: string | undefined
  upload?: Upload
  checking?: AbortController
  samples: Sample[]
}

/** The resources of each upload that are not part of the visible state. */
const sendingResources = new Map<string, SendingResources>()

const RETRY_MS = 30_000
/** Progress events are more frequent; this is often enough to read. */
const PROGRESS_UPDATE_MS = 250

const removeFromList = (id: string) => {
  releaseHandle(sendingResources.get(id))
  sendingResources.delete(id)
  useSending.setState(({ list }) => ({ list: list.filter((each) => each.id !== id) }))
}

const customerId = () => useSession.getState().profile?.customer_id ?? 0

let count = 0

/** Queues files to be uploaded to the slots of a form. Files that cannot be uploaded are rejected with a message. */
export function sendFiles(choices: readonly FileChoice[], form: string) {
  const added = choices.map(({ file, handle }): Sending => {
    const why = fileRejectionReason(file) ?? ''
    const id = `sending-${++count}`
    if (!why) {
      const own: SendingResources = { file, handle, samples: [] }
      sendingResources.set(id, own)
      storeHandleOf(own)
      releaseHandle(takeMatchingUnfinished({ sha256: '', name: file.name, bytes: file.size }))
    }
    return { id, name: file.name, bytes: file.size, state: why ? 'refused' : 'waiting', sent: 0, share: 0, why, form }
  })
  useSending.setState(({ list }) => ({ list: [...list, ...added] }))
  saveUnfinishedList()
  startNext()
}

/** Resumes an upload of an earlier visit whose file has been opened again. */
function resumeUnfinished(
  unfinishedId: string,
  { sha256, name, bytes, sent, handleId, form, isPaused }: Unfinished,
  file: File,
) {
  const id = `sending-${++count}`
  sendingResources.set(id, { file, handleId, sha256: sha256 || undefined, samples: [] })
  const state = isPaused ? 'paused' : 'waiting'
  replaceUnfinished(unfinishedId, { id, name, bytes, sent, form, state, share: 0, why: '' })
  saveUnfinishedList()
  startNext()
}

/** Resumes all uploads that need permission; must be called within a click, because it may ask. */
export const resumeUploads = () => resumePermitted(resumeUnfinished)

/** Stores the handle of a file while its upload is unfinished. */
function storeHandleOf(own: SendingResources) {
  const member = customerId()
  if (!own.handle || own.handleId || !member) return
  const { file, handle } = own
  own.handleId = crypto.randomUUID()
  void lockUpload(own.handleId)
  void saveHandle({
    ...{ id: own.handleId, customerId: member, handle },
    ...{ name: file.name, bytes: file.size, lastModified: file.lastModified },
  })
}

function releaseHandle(own: { handleId?: string | undefined } | undefined) {
  if (!own?.handleId) return
  void deleteHandle(own.handleId)
  unlockUpload(own.handleId)
  own.handleId = undefined
}

/**
 * Starts queued uploads while fewer than two are in progress. Uploads are stored under the member, who must be known.
 */
function startNext() {
  if (!customerId()) return
  while (sendingsInState('checking', 'sending').length < uploads.MAX_PARALLEL_UPLOADS) {
    const [next] = sendingsInState('waiting')
    if (!next) return
    void startUpload(next.id)
  }
}

async function startUpload(id: string) {
  const own = sendingResources.get(id)
  if (!own) return removeFromList(id)
  own.samples = []
  storeHandleOf(own)
  try {
    own.sha256 ??= await hashFile(id, own)
    const identical = findIdentical(id, own.sha256)
    if (identical) return rejectIdentical(id, own, identical)
    change(id, { state: 'sending', why: '', rate: undefined, hasStumbled: false })
    releaseHandle(takeMatchingUnfinished({ sha256: own.sha256, name: own.file.name, bytes: own.file.size }))
    saveUnfinishedList()
    own.upload ??= await prepareUpload(
      { file: own.file, sha256: own.sha256, customerId: customerId() },
      createCallbacks(id, own),
    )
    // It may have been paused or cancelled in the meantime.
    if (find(id)?.state === 'sending') own.upload.start()
  } catch (error) {
    if (!find(id) || own.checking?.signal.aborted) return
    const isHashFailed = own.sha256 === undefined
    if (isHashFailed) change(id, { state: 'refused', why: error instanceof Error ? error.message : '' })
    else markInterrupted(id)
    startNext()
  }
}

/** Another upload in the list with the same content, whose checksum was computed first. */
const findIdentical = (id: string, sha256: string) =>
  useSending.getState().list.find((each) => each.id !== id && sendingResources.get(each.id)?.sha256 === sha256)

function rejectIdentical(id: string, own: SendingResources, { name }: { name: string }) {
  own.sha256 = undefined
  releaseHandle(own)
  change(id, { state: 'refused', why: format(texts.identicalFile, { name }), canRetry: false })
  saveUnfinishedList()
  startNext()
}

async function hashFile(id: string, own: SendingResources): Promise<string> {
  own.checking = new AbortController()
  change(id, { state: 'checking', share: 0 })
  let lastUpdateMs = 0
  const show = (share: number) => {
    if (Date.now() - lastUpdateMs < PROGRESS_UPDATE_MS) return
    lastUpdateMs = Date.now()
    change(id, { share })
  }
  return computeSha256(own.file, show, own.checking.signal)
}

function createCallbacks(id: string, own: SendingResources): UploadCallbacks {
  let lastUpdateMs = 0
  return {
    onProgress: (sent: number) => {
      const at_ms = Date.now()
      own.samples = withSample(own.samples, { at_ms, bytes: sent })
      if (at_ms - lastUpdateMs < PROGRESS_UPDATE_MS) return
      lastUpdateMs = at_ms
      change(id, { sent, rate: rateOf(own.samples), hasStumbled: false })
      saveUnfinishedList()
    },
    onRetry: () => {
      own.samples = []
      change(id, { rate: undefined, hasStumbled: true })
    },
    onUploaded: (uploadId: number | undefined) => void handleUploaded(id, uploadId),
    onRejected: (...[apiError, token]: Parameters<UploadCallbacks['onRejected']>) => {
      if (apiError.code === 'session_expired') {
        markInterrupted(id, texts.signedOutUploadWillResume)
        endSession(token)
        // The token was renewed during the request.
        if (useSession.getState().token) resume(id)
      } else {
        const { upload_id } = (apiError.data ?? {}) as { upload_id?: number }
        own.upload = undefined
        // The checksum is computed again before another attempt: that of an earlier visit may be outdated.
        own.sha256 = undefined
        releaseHandle(own)
        change(id, { state: 'refused', why: apiError.message ?? '', upload_id, canRetry: upload_id === undefined })
      }
      saveUnfinishedList()
      startNext()
    },
    onInterrupted: () => {
      markInterrupted(id)
      startNext()
    },
  }
}

function markInterrupted(id: string, why = '') {
  change(id, { state: 'broken', rate: undefined, why })
  saveUnfinishedList()
  // Signed out, the upload would only wait: signing in resumes it.
  setTimeout(() => customerId() && find(id)?.state === 'broken' && resume(id), RETRY_MS)
}

async function handleUploaded(id: string, uploadId: number | undefined) {
  const { name = '', form } = find(id) ?? {}
  releaseHandle(sendingResources.get(id))
  // The row stays until the list of files contains it, so that nothing disappears in between.
  change(id, { sent: find(id)?.bytes ?? 0, rate: undefined })
  if (uploadId && form) addArrivedUpload(form, uploadId)
  await refetchContainer().catch(() => undefined)
  removeFromList(id)
  saveUnfinishedList()
  startNext()
  if (!location.pathname.startsWith('/uploads/')) void toast({ message: format(texts.fileUploaded, { name }) })
}

export function pause(id: string) {
  const own = sendingResources.get(id)
  own?.checking?.abort()
  void own?.upload?.abort()
  change(id, { state: 'paused', rate: undefined })
  saveUnfinishedList()
  startNext()
}

/** Resumes an upload that was paused, interrupted or rejected. */
export function resume(id: string) {
  change(id, { state: 'waiting', why: '' })
  startNext()
}

/** Removes an upload from the list and deletes it on the server. */
export function cancelUpload(id: string) {
  const own = sendingResources.get(id)
  const isInOtherTab = find(id)?.reopening === 'other-tab'
  const unfinished = isInOtherTab ? undefined : takeUnfinished(id)
  releaseHandle(unfinished)
  own?.checking?.abort()
  removeFromList(id)
  void own?.upload?.abort(true).catch(() => undefined)
  if (unfinished?.sha256)
    void deleteStoredUpload({ sha256: unfinished.sha256, customerId: customerId() }).catch(() => undefined)
  saveUnfinishedList()
  startNext()
}

/** The member these uploads belong to. */
let sendingMemberId: number | undefined

/** Stores the started uploads for a later visit. After a session has ended, they are already stored. */
function saveUnfinishedList() {
  const member = customerId()
  if (!member) return
  const startedFiles = sendingsInState('waiting', 'checking', 'sending', 'paused', 'broken').map(
    ({ id, name, bytes, sent, state, form }) => {
      const { sha256 = '', handleId } = sendingResources.get(id) ?? {}
      const file: Unfinished = { sha256, name, bytes, sent }
      if (handleId) file.handleId = handleId
      if (state === 'paused') file.isPaused = true
      return withFormId(file, form)
    },
  )
  saveUnfinishedUploads(member, startedFiles)
}

/** After a song was saved, files still uploading for its form must not be added to another song. */
export function detachForm(form: string) {
  useSending.setState(({ list }) => ({
    list: list.map((each) => (each.form === form ? { ...each, form: undefined } : each)),
  }))
  clearArrivedUploads(form)
  saveUnfinishedList()
}

/** Shows the unfinished uploads of an earlier visit of the signed-in member. */
function resumeForMember() {
  const member = customerId()
  if (!member || member === sendingMemberId) return
  // Someone else signed in after a session ended.
  if (sendingMemberId !== undefined) resetSendings()
  sendingMemberId = member
  showUnfinished(member)
  void resumeUnfinishedUploads(member, resumeUnfinished)
}

/** Stops the uploads of a member: nobody else may continue them. */
function resetSendings() {
  for (const { checking, upload, handleId } of sendingResources.values()) {
    checking?.abort()
    void upload?.abort()
    if (handleId) unlockUpload(handleId)
  }
  sendingResources.clear()
  if (sendingMemberId !== undefined) void deleteHandles(sendingMemberId)
  sendingMemberId = undefined
  useSending.setState({ list: [] })
}

resumeForMember()
useSession.subscribe((now, before) => {
  resumeForMember()
  if (now.profile && !before.profile) startNext()
  if (now.token && now.token !== before.token) for (const { id } of sendingsInState('broken')) resume(id)
  if (!now.token && !now.ended) resetSendings()
})

addEventListener('online', () => {
  for (const { id } of sendingsInState('broken')) resume(id)
})

addEventListener('beforeunload', (event) => {
  if (sendingsInState('checking', 'sending', 'waiting').length > 0) event.preventDefault()
})
