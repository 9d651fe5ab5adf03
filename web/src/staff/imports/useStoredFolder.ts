import { useEffect, useState } from 'react'
import { findFolderProblem } from './folderFiles.ts'
import { findFolder, lockFolder, reopenFolder, type StoredFolder } from './folderHandles.ts'
import { isUploadingFolder, uploadFolder } from './folderUpload.ts'

type Status = {
  /** `none`: there is no stored folder, or it has to be chosen again. */
  state: 'none' | 'opening' | 'prompt' | 'other-tab'
  /** Why it has to be chosen again, as a sentence; '' if there is no further reason. */
  problem: string
}

const NONE: Status = { state: 'none', problem: '' }

/**
 * The folder that was being uploaded to an import before this page was loaded. The upload continues by itself if the
 * browser may still read the folder, and by `resume` if it has to ask first.
 */
export function useStoredFolder(importId: number) {
  const [status, setStatus] = useState<Status>(() => (isUploadingFolder() ? NONE : { state: 'opening', problem: '' }))
  const [stored, setStored] = useState<StoredFolder>()
  useEffect(() => {
    let isUnmounted = false
    const open = async () => {
      const found = isUploadingFolder() ? undefined : await findFolder(importId)
      const status = found ? await continueUpload(importId, found, false) : NONE
      if (isUnmounted) return
      setStored(found)
      setStatus(status)
    }
    void open()
    return () => {
      isUnmounted = true
    }
  }, [importId])
  const resume = async () => {
    if (stored) setStatus(await continueUpload(importId, stored, true))
  }
  return { ...status, resume }
}

async function continueUpload(importId: number, stored: StoredFolder, canPrompt: boolean): Promise<Status> {
  const reopened = await reopenFolder(stored, canPrompt)
  if (reopened.state === 'prompt') return { state: 'prompt', problem: '' }
  if (reopened.state === 'unavailable') return { state: 'none', problem: reopened.why }
  const problem = findFolderProblem(reopened.opened)
  if (problem) return { state: 'none', problem }
  if (!(await lockFolder(importId))) return { state: 'other-tab', problem: '' }
  // Another import may have started since; it is not interrupted.
  if (!isUploadingFolder()) void uploadFolder(importId, reopened.opened)
  return NONE
}
