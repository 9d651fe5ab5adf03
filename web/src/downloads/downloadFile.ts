import { type catalogue, downloads } from '@dubplate/contract'
import { waitForOwned } from '../ownLibrary/owned.ts'
import { ownershipOf } from '../ownLibrary/ownership.ts'
import { callApi } from '../platform/api.ts'
import { saveAs } from '../platform/saveAs.ts'
import { toast } from '../ui/toast.ts'
import { useDownloads } from './download.ts'
import type { DownloadFormat } from './downloadFormats.ts'
import * as texts from './texts.ts'

/** Whether a version was downloaded before or has one download left: the member is then asked first. */
function needsConfirmation(songVersionId: number): boolean {
  const { used, limit } = useDownloads.getState()
  return used.has(songVersionId) || limit === 1
}

type FileOptions = { song: catalogue.Song | undefined; isRepeat: boolean; format: DownloadFormat }

/** Downloads one version, unless the member is asked first and cancels. Another format is prepared first. */
export async function downloadFile(songVersionId: number, { song, isRepeat, format }: FileOptions) {
  await waitForOwned()
  const ownership = ownershipOf(songVersionId, song)
  if (!isRepeat && (ownership || needsConfirmation(songVersionId))) {
    const { confirmDownload } = await import('./confirmDownload.tsx')
    if (!(await confirmDownload(songVersionId, ownership))) return
  }
  const input = format === 'original' ? { version: songVersionId } : { version: songVersionId, format }
  if (format !== 'original') {
    const { prepareDownload } = await import('./prepareDownload.tsx')
    if (!(await prepareDownload({ format, versions: [songVersionId] }, { isSingle: true }))) return
  }
  const file = await callApi(downloads.downloadVersion, input)
  saveAs(file.url, file.file_name)
  useDownloads.setState(({ used }) => ({ used: new Map(used).set(songVersionId, file.used) }))
  void toast({ title: texts.downloadStarted, message: file.file_name })
}
