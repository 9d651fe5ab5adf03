import { downloads, type InputOf } from '@dubplate/contract'
import { create } from 'zustand'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { toast } from '../ui/toast.ts'
import { FORMAT_NAMES } from './downloadFormats.ts'
import css from './prepareDownload.module.css'
import { skippedReasons } from './skippedReasons.ts'
import * as texts from './texts.ts'

type PrepareInput = InputOf<typeof downloads.prepareDownload>

const POLL_MS = 1000

type Progress = { ready: number; files: number; progress: number }

/**
 * Waits until the files of a download are converted, with the progress in a toast. Resolves with false if the member
 * cancels. `isSingle` is for one file, whose error the download itself reports.
 */
export async function prepareDownload(input: PrepareInput, { isSingle = false } = {}): Promise<boolean> {
  const useProgress = create<Progress>(() => ({ ready: 0, files: 0, progress: 0 }))
  const cancel = new AbortController()
  const first = await callApi(downloads.prepareDownload, input)
  if (first.is_ready) return finish(first, isSingle)
  useProgress.setState(first)
  const preparation = waitUntilReady(input, cancel.signal, (progress) => useProgress.setState(progress))
  const name = FORMAT_NAMES[input.format]
  void toast({
    title: format(texts.preparingAs, { name }),
    message: <ProgressMessage useProgress={useProgress} />,
    action: { label: texts.cancel, run: () => cancel.abort() },
    until: preparation,
  })
  const last = await preparation
  return last === undefined ? false : finish(last, isSingle)
}

type Preparation = Awaited<ReturnType<typeof callApi<typeof downloads.prepareDownload>>>

async function waitUntilReady(
  input: PrepareInput,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Preparation | undefined> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (signal.aborted) return undefined
    const preparation = await callApi(downloads.prepareDownload, input)
    if (signal.aborted) return undefined
    onProgress(preparation)
    if (preparation.is_ready) return preparation
  }
}

/** Says which files of a zip could not be converted. */
function finish({ failed }: Preparation, isSingle: boolean): true {
  if (failed.length > 0 && !isSingle) {
    const skipped = failed.map(({ title }) => ({ title, why: texts.couldntBeConvertedOriginal }))
    void toast({ message: skippedReasons({ skipped }), tone: 'error' })
  }
  return true
}

function ProgressMessage({ useProgress }: { useProgress: () => Progress }) {
  const { ready, files, progress } = useProgress()
  const percent = Math.floor(progress * 100)
  return (
    <span className={css.progress}>
      {files > 1 ? format(texts.preparedOf, { ready, files }) : format(texts.preparedPercent, { percent })}{' '}
      {texts.theDownloadStartsByItself}
      <ProgressBar label={texts.preparing} value={progress} />
    </span>
  )
}
