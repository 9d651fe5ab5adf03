import { readHandles, type StoredHandle } from '../platform/handleStore.ts'
import { type Reopened, reopenFile } from './reopen.ts'
import { change, find } from './sendings.ts'
import { type Unfinished, unfinishedFiles } from './unfinishedUploads.ts'
import { lockUpload, unlockUpload } from './uploadLocks.ts'

type Continue = (unfinishedId: string, unfinished: Unfinished, file: File) => void

type StoredFile = StoredHandle & { handle: FileSystemFileHandle }

const isFile = (stored: StoredHandle): stored is StoredFile => stored.handle.kind === 'file'

type UnfinishedUpload = { id: string; file: Unfinished }

/** Read in advance: asking for permission has to follow a click immediately. */
let handles = new Map<string, StoredFile>()

/** Resumes uploads of an earlier visit whose files the browser can still read; the other rows say what to do. */
export async function resumeUnfinishedUploads(customerId: number, onOpened: Continue): Promise<void> {
  const resumable = unfinishedFiles().filter(({ file }) => file.handleId)
  const stored = await readHandles(customerId)
  handles = new Map(stored.filter(isFile).map((each) => [each.id, each]))
  await Promise.all(resumable.map((unfinished) => resume(unfinished, reopenUnfinished(unfinished, false), onOpened)))
}

/** Asks for permission to read the files that need it, all in one click, and resumes those that are allowed. */
export async function resumePermitted(onOpened: Continue): Promise<void> {
  const resumable = unfinishedFiles().filter(({ id }) => find(id)?.reopening === 'prompt')
  await Promise.all(resumable.map((unfinished) => resume(unfinished, reopenUnfinished(unfinished, true), onOpened)))
}

async function reopenUnfinished({ file }: UnfinishedUpload, canPrompt: boolean): Promise<Reopened<File>> {
  const stored = handles.get(file.handleId ?? '')
  return stored ? reopenFile(stored, canPrompt) : { state: 'unavailable', why: '' }
}

async function resume(
  { id, file }: UnfinishedUpload,
  opening: Promise<Reopened<File>>,
  onOpened: Continue,
): Promise<void> {
  // It may have been chosen again or dismissed since, or someone else signed in.
  const isStillUnfinished = () => unfinishedFiles().some((unfinished) => unfinished.file === file)
  const reopened = await opening
  if (reopened.state === 'prompt') return change(id, { reopening: 'prompt' })
  if (reopened.state === 'unavailable') return change(id, { reopening: undefined, why: reopened.why })
  const { handleId = '' } = file
  const isLocked = await lockUpload(handleId)
  if (!isStillUnfinished()) return isLocked ? unlockUpload(handleId) : undefined
  if (isLocked) onOpened(id, file, reopened.opened)
  else change(id, { reopening: 'other-tab' })
}
