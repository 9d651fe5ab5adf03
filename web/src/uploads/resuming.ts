import { readHandles, type StoredHandle } from './handleStore.ts'
import { leftFiles } from './leftBehind.ts'
import { type Reopened, reopenFile } from './reopenFile.ts'
import { change, find } from './sendings.ts'
import type { Unfinished } from './unfinished.ts'
import { lockUpload, unlockUpload } from './uploadLocks.ts'

type Continue = (leftId: string, left: Unfinished, file: File) => void

type Left = { id: string; file: Unfinished }

/** Read once: asking for permission has to follow a click at once. */
let handles = new Map<string, StoredHandle>()

/** Continues what an earlier visit left and the browser still may read; the rows of the others say what to do. */
export async function resumeLeft(customerId: number, onOpened: Continue): Promise<void> {
  const waiting = leftFiles().filter(({ file }) => file.handleId)
  const stored = await readHandles(customerId)
  handles = new Map(stored.map((each) => [each.id, each]))
  await Promise.all(waiting.map((left) => resume(left, reopenFile(handleOf(left), false), onOpened)))
}

/** Asks for permission to read the files that need it, all in one click, and continues those that are allowed. */
export async function resumePermitted(onOpened: Continue): Promise<void> {
  const waiting = leftFiles().filter(({ id }) => find(id)?.reopening === 'prompt')
  await Promise.all(waiting.map((left) => resume(left, reopenFile(handleOf(left), true), onOpened)))
}

const handleOf = ({ file }: Left) => handles.get(file.handleId ?? '')

async function resume({ id, file }: Left, opening: Promise<Reopened>, onOpened: Continue): Promise<void> {
  // It may have been chosen again or dismissed since, or somebody else signed in.
  const isStillLeft = () => leftFiles().some((left) => left.file === file)
  const reopened = await opening
  if (!isStillLeft()) return
  if (reopened.state === 'prompt') return change(id, { reopening: 'prompt' })
  if (reopened.state === 'unavailable') return change(id, { reopening: undefined, why: reopened.why })
  const { handleId = '' } = file
  const isLocked = await lockUpload(handleId)
  if (!isStillLeft()) return isLocked ? unlockUpload(handleId) : undefined
  if (isLocked) onOpened(id, file, reopened.file)
  else change(id, { reopening: 'other-tab' })
}
