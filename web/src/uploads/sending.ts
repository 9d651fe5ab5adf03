import { uploads } from '@dubplate/contract'
import type { Upload } from 'tus-js-client'
import { format } from '../platform/message.ts'
import { endSession, useSession } from '../platform/session.ts'
import { toast } from '../ui/toast.ts'
import { arriveAt, takeArrivals } from './arrivals.ts'
import { whyNotSent } from './fileRefusal.ts'
import type { FileChoice } from './fileSystemAccess.ts'
import { askContainerAnew } from './files.ts'
import { deleteHandle, deleteHandles, saveHandle } from './handleStore.ts'
import { hashOf } from './hashing.ts'
import { dropLeft, keepBegun, replaceLeft, showLeft, takeUp, withForm } from './leftBehind.ts'
import { rateOf, type Sample, withSample } from './rate.ts'
import { forgetUpload, type Outcome, prepareUpload } from './resumable.ts'
import { resumeLeft, resumePermitted } from './resuming.ts'
import { change, find, inState, type Sending, useSending } from './sendings.ts'
import * as texts from './texts.ts'
import type { Unfinished } from './unfinished.ts'
import { lockUpload, unlockUpload } from './uploadLocks.ts'

type Held = {
  file: File
  /** Opens the file again after a reload. */
  handle?: FileSystemFileHandle | undefined
  /** Of the handle, once it is stored. */
  handleId?: string | undefined
  sha256?: string | undefined
  upload?: Upload
  checking?: AbortController
  samples: Sample[]
}

/** What cannot be shown of each. */
const held = new Map<string, Held>()

const RETRY_MS = 30_000
/** Progress comes many times a second; this often is enough to read. */
const SHOWN_EVERY_MS = 250

const drop = (id: string) => {
  forgetHandleOf(held.get(id))
  held.delete(id)
  useSending.setState(({ list }) => ({ list: list.filter((each) => each.id !== id) }))
}

const customerId = () => useSession.getState().profile?.customer_id ?? 0

let count = 0

/** Queues files to be sent to the slots of a form. What cannot be sent is refused here, in words. */
export function sendFiles(choices: readonly FileChoice[], form: string) {
  const added = choices.map(({ file, handle }): Sending => {
    const why = whyNotSent(file) ?? ''
    const id = `sending-${++count}`
    if (!why) {
      const own: Held = { file, handle, samples: [] }
      held.set(id, own)
      storeHandleOf(own)
      forgetHandleOf(takeUp({ sha256: '', name: file.name, bytes: file.size }))
    }
    return { id, name: file.name, bytes: file.size, state: why ? 'refused' : 'waiting', sent: 0, share: 0, why, form }
  })
  useSending.setState(({ list }) => ({ list: [...list, ...added] }))
  remember()
  next()
}

/** Continues an upload of an earlier visit, the file of which has been opened again. */
function continueLeft(leftId: string, { sha256, name, bytes, sent, handleId, form, isPaused }: Unfinished, file: File) {
  const id = `sending-${++count}`
  held.set(id, { file, handleId, sha256: sha256 || undefined, samples: [] })
  const state = isPaused ? 'paused' : 'waiting'
  replaceLeft(leftId, { id, name, bytes, sent, form, state, share: 0, why: '' })
  remember()
  next()
}

/** Continues all uploads of an earlier visit the browser needs permission for; called by a click, it may ask. */
export const resumeUploads = () => resumePermitted(continueLeft)

/** Keeps the handle of a file for as long as its upload is unfinished. */
function storeHandleOf(own: Held) {
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

function forgetHandleOf(own: { handleId?: string | undefined } | undefined) {
  if (!own?.handleId) return
  void deleteHandle(own.handleId)
  unlockUpload(own.handleId)
  own.handleId = undefined
}

/** Begins what waits, as long as fewer than two are under way. What is begun is noted under the member: they must be known. */
function next() {
  if (!customerId()) return
  while (inState('checking', 'sending').length < uploads.FILES_AT_ONCE) {
    const [waiting] = inState('waiting')
    if (!waiting) return
    void begin(waiting.id)
  }
}

async function begin(id: string) {
  const own = held.get(id)
  if (!own) return drop(id)
  own.samples = []
  storeHandleOf(own)
  try {
    own.sha256 ??= await check(id, own)
    change(id, { state: 'sending', why: '', rate: undefined, hasStumbled: false })
    forgetHandleOf(takeUp({ sha256: own.sha256, name: own.file.name, bytes: own.file.size }))
    remember()
    own.upload ??= await prepareUpload(
      { file: own.file, sha256: own.sha256, customerId: customerId() },
      outcomeOf(id, own),
    )
    // Paused or cancelled meanwhile.
    if (find(id)?.state === 'sending') own.upload.start()
  } catch (error) {
    if (!find(id) || own.checking?.signal.aborted) return
    const isUnread = own.sha256 === undefined
    if (isUnread) change(id, { state: 'refused', why: error instanceof Error ? error.message : '' })
    else broken(id)
    next()
  }
}

async function check(id: string, own: Held): Promise<string> {
  own.checking = new AbortController()
  change(id, { state: 'checking', share: 0 })
  let shown_ms = 0
  const show = (share: number) => {
    if (Date.now() - shown_ms < SHOWN_EVERY_MS) return
    shown_ms = Date.now()
    change(id, { share })
  }
  return hashOf(own.file, show, own.checking.signal)
}

function outcomeOf(id: string, own: Held): Outcome {
  let shown_ms = 0
  return {
    onProgress: (sent: number) => {
      const at_ms = Date.now()
      own.samples = withSample(own.samples, { at_ms, bytes: sent })
      if (at_ms - shown_ms < SHOWN_EVERY_MS) return
      shown_ms = at_ms
      change(id, { sent, rate: rateOf(own.samples), hasStumbled: false })
      remember()
    },
    onStumbled: () => {
      own.samples = []
      change(id, { rate: undefined, hasStumbled: true })
    },
    onArrived: (uploadId: number | undefined) => void arrived(id, uploadId),
    onRefused: (...[refusal, token]: Parameters<Outcome['onRefused']>) => {
      if (refusal.code === 'session_expired') {
        broken(id, texts.youveBeenSignedOutThe)
        endSession(token)
        // It was renewed while this was on its way.
        if (useSession.getState().token) goOn(id)
      } else {
        const { upload_id } = (refusal.data ?? {}) as { upload_id?: number }
        own.upload = undefined
        // It is measured again before another attempt: that of an earlier visit may be out of date.
        own.sha256 = undefined
        forgetHandleOf(own)
        change(id, { state: 'refused', why: refusal.message ?? '', upload_id, canRetry: upload_id === undefined })
      }
      remember()
      next()
    },
    onBroken: () => {
      broken(id)
      next()
    },
  }
}

function broken(id: string, why = '') {
  change(id, { state: 'broken', rate: undefined, why })
  remember()
  // Signed out it would only wait: signing in has it go on.
  setTimeout(() => customerId() && find(id)?.state === 'broken' && goOn(id), RETRY_MS)
}

async function arrived(id: string, uploadId: number | undefined) {
  const { name = '', form } = find(id) ?? {}
  forgetHandleOf(held.get(id))
  // It stays until the list has it as a file: nothing vanishes in between.
  change(id, { sent: find(id)?.bytes ?? 0, rate: undefined })
  if (uploadId && form) arriveAt(form, uploadId)
  await askContainerAnew().catch(() => undefined)
  drop(id)
  remember()
  next()
  if (!location.pathname.startsWith('/uploads/')) void toast({ message: format(texts.uploaded, { name }) })
}

export function pause(id: string) {
  const own = held.get(id)
  own?.checking?.abort()
  void own?.upload?.abort()
  change(id, { state: 'paused', rate: undefined })
  remember()
  next()
}

/** Goes on with what was paused, broken or refused. */
export function goOn(id: string) {
  change(id, { state: 'waiting', why: '' })
  next()
}

/** Takes a file out of the list; what the server has of it goes too. */
export function cancel(id: string) {
  const own = held.get(id)
  const isInOtherTab = find(id)?.reopening === 'other-tab'
  const left = isInOtherTab ? undefined : dropLeft(id)
  forgetHandleOf(left)
  own?.checking?.abort()
  drop(id)
  void own?.upload?.abort(true).catch(() => undefined)
  if (left?.sha256) void forgetUpload({ sha256: left.sha256, customerId: customerId() }).catch(() => undefined)
  remember()
  next()
}

/** Whose files these are. */
let sender: number | undefined

/** Writes down what has begun, for a visit after this one. Of a session that ended everything is written already. */
function remember() {
  const member = customerId()
  if (!member) return
  const begun = inState('waiting', 'checking', 'sending', 'paused', 'broken').map(
    ({ id, name, bytes, sent, state, form }) => {
      const { sha256 = '', handleId } = held.get(id) ?? {}
      const file: Unfinished = { sha256, name, bytes, sent }
      if (handleId) file.handleId = handleId
      if (state === 'paused') file.isPaused = true
      return withForm(file, form)
    },
  )
  keepBegun(member, begun)
}

/** The song is saved: what is still on its way to its form goes into no other song. */
export function detachForm(form: string) {
  useSending.setState(({ list }) => ({
    list: list.map((each) => (each.form === form ? { ...each, form: undefined } : each)),
  }))
  takeArrivals(form)
  remember()
}

/** Shows what an earlier visit of whoever has signed in had begun. */
function welcome() {
  const member = customerId()
  if (!member || member === sender) return
  // Somebody else signed in after a session that ended.
  if (sender !== undefined) forgetAll()
  sender = member
  showLeft(member)
  void resumeLeft(member, continueLeft)
}

/** What somebody was sending is nobody else's to go on with. */
function forgetAll() {
  for (const { checking, upload, handleId } of held.values()) {
    checking?.abort()
    void upload?.abort()
    if (handleId) unlockUpload(handleId)
  }
  held.clear()
  if (sender !== undefined) void deleteHandles(sender)
  sender = undefined
  useSending.setState({ list: [] })
}

welcome()
useSession.subscribe((now, before) => {
  welcome()
  if (now.profile && !before.profile) next()
  if (now.token && now.token !== before.token) for (const { id } of inState('broken')) goOn(id)
  if (!now.token && !now.ended) forgetAll()
})

addEventListener('online', () => {
  for (const { id } of inState('broken')) goOn(id)
})

addEventListener('beforeunload', (event) => {
  if (inState('checking', 'sending', 'waiting').length > 0) event.preventDefault()
})
