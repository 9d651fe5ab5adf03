import { useEffect, useState } from 'react'
import type { Reopened } from '../../uploads/reopen.ts'
import { whyNot } from './BrowserFolder.tsx'
import type { ChosenFolder } from './folderFiles.ts'
import { findFolder, lockFolder, reopenFolder } from './folderHandles.ts'
import { isUnderWay, sendFolder } from './folderUpload.ts'

type KeptFolder = { state: 'none' | 'opening' | 'prompt' | 'other-tab'; why: string }

const NONE: KeptFolder = { state: 'none', why: '' }

/**
 * The folder that was being uploaded to an import before this page was loaded. The upload continues by itself when the
 * browser may still read the folder, and by `resume` when it has to ask first.
 */
export function useKeptFolder(runId: number) {
  const [kept, setKept] = useState<KeptFolder>(() => (isUnderWay() ? NONE : { state: 'opening', why: '' }))
  const [stored, setStored] = useState<Awaited<ReturnType<typeof findFolder>>>()
  useEffect(() => {
    let isGone = false
    const open = async () => {
      const found = isUnderWay() ? undefined : await findFolder(runId)
      const after = found ? await sendReopened(runId, await reopenFolder(found, false)) : NONE
      if (isGone) return
      setStored(found)
      setKept(after)
    }
    void open()
    return () => {
      isGone = true
    }
  }, [runId])
  const resume = async () => {
    if (stored) setKept(await sendReopened(runId, await reopenFolder(stored, true)))
  }
  return { ...kept, resume }
}

async function sendReopened(runId: number, reopened: Reopened<ChosenFolder>): Promise<KeptFolder> {
  if (reopened.state === 'prompt') return { state: 'prompt', why: '' }
  if (reopened.state === 'unavailable') return { state: 'none', why: reopened.why }
  const why = whyNot(reopened.opened)
  if (why) return { state: 'none', why }
  if (!(await lockFolder(runId))) return { state: 'other-tab', why: '' }
  // Another import may have started since; it is not interrupted.
  if (!isUnderWay()) void sendFolder(runId, reopened.opened)
  return NONE
}
