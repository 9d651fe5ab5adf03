import { readHandles, type StoredHandle } from './handleStore.ts'
import { leftFiles } from './leftBehind.ts'
import { type Reopened, reopenFile } from './reopen.ts'
import { change, find } from './sendings.ts'
import type { Unfinished } from './unfinished.ts'
import { lockUpload, unlockUpload } from './uploadLocks.ts'

type Continue = (leftId: string, left: Unfinished, file: File) => void

type StoredFile = StoredHandle & { handle: FileSystemFileHandle }

const isFile = (stored: StoredHandle): stored is StoredFile => stored.handle.kind === 'file'

type Left = { id: string; file: Unfinished }

/** Read once: asking for permission has to follow a click at once. */
let handles = new Map<string, StoredFile>()

/** Continues what an earlier visit left and the browser still may read; the rows of the others say what to do. */
export async function resumeLeft(customerId: number, onOpened: Continue): Promise<void> {
  const waiting = leftFiles().filter(({ file }) => file.handleId)
  const stored = await readHandles(customerId)
  handles = new Map(stored.filter(isFile).map((each) => [each.id, each]))
  await Promise.all(waiting.map((left) => resume(left, reopenLeft(left, false), onOpened)))
}

/** Asks for permission to read the files that need it, all in one click, and continues those that are allowed. */
export async function resumePermitted(onOpened: Continue): Promise<void> {
  const waiting = leftFiles().filter(({ id }) => find(id)?.reopening === 'prompt')
  await Promise.all(waiting.map((left) => resume(left, reopenLeft(left, true), onOpened)))
}

async function reopenLeft({ file }: Left, canAsk: boolean): Promise<Reopened<File>> {
  const stored = handles.get(file.handleId ?? '')
  return stored ? reopenFile(stored, canAsk) : { state: 'unavailable', why: '' }
}

async function resume({ id, file }: Left, opening: Promise<Reopened<File>>, onOpened: Continue): Promise<void> {
  // It may have been chosen again or dismissed since, or someone else signed in.
  const isStillLeft = () => leftFiles().some((left) => left.file === file)
  const reopened = await opening
  if (reopened.state === 'prompt') return change(id, { reopening: 'prompt' })
  if (reopened.state === 'unavailable') return change(id, { reopening: undefined, why: reopened.why })
  const { handleId = '' } = file
  const isLocked = await lockUpload(handleId)
  if (!isStillLeft()) return isLocked ? unlockUpload(handleId) : undefined
  if (isLocked) onOpened(id, file, reopened.opened)
  else change(id, { reopening: 'other-tab' })
}
