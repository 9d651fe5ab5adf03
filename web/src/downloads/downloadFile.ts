import { downloads } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { saveAs } from '../platform/saveAs.ts'
import { toast } from '../ui/toast.ts'
import { useDownloads } from './download.ts'
import * as texts from './texts.ts'

/** Whether a version was downloaded before or has one download left: the member is then asked first. */
function needsConfirmation(songVersionId: number): boolean {
  const { used, limit } = useDownloads.getState()
  return used.has(songVersionId) || limit === 1
}

/** Downloads one version, unless the member is asked first and cancels. */
export async function downloadFile(songVersionId: number, isRepeat: boolean) {
  if (!isRepeat && needsConfirmation(songVersionId)) {
    const { confirmDownload } = await import('./confirmDownload.tsx')
    if (!(await confirmDownload(songVersionId))) return
  }
  const file = await callApi(downloads.downloadVersion, { version: songVersionId })
  saveAs(file.url, file.file_name)
  useDownloads.setState(({ used }) => ({ used: new Map(used).set(songVersionId, file.used) }))
  void toast({ title: texts.downloadStarted, message: file.file_name })
}
