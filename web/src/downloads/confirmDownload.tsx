import { downloads } from '@dubplate/contract'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { formatDate } from '../format/dates.ts'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Switch } from '../ui/Switch.tsx'
import type { BundleQuestion } from './bundles.ts'
import * as texts from './texts.ts'
import { usageText } from './usageText.ts'
import { ZipFormat } from './ZipFormat.tsx'

const NEVER_ASK_KEY = 'dubplate.download-without-asking'

function isNeverAsked(): boolean {
  try {
    return localStorage.getItem(NEVER_ASK_KEY) !== null
  } catch {
    return false
  }
}

function storeNeverAsk() {
  try {
    localStorage.setItem(NEVER_ASK_KEY, '1')
  } catch {
    // Without storage (some private windows) the next download asks again.
  }
}

/** Shows a dialog of its own, because a download can be started from anywhere. Resolves with what `finish` is given. */
async function showDialog<Answer>(dialog: (finish: (answer: Answer) => void) => ReactNode): Promise<Answer> {
  // Fails here if the code of dialogs can't be loaded; otherwise the member would wait for one that never appears.
  await import('../ui/Dialog.tsx')
  return new Promise((resolve) => {
    const container = document.body.appendChild(document.createElement('div'))
    const root = createRoot(container)
    const finish = (answer: Answer) => {
      root.unmount()
      container.remove()
      resolve(answer)
    }
    root.render(dialog(finish))
  })
}

/**
 * Asks before a download that was made before or uses up the last one of its version. Resolves with false if the member
 * cancels.
 */
export async function confirmDownload(songVersionId: number): Promise<boolean> {
  if (isNeverAsked()) return true
  const check = await callApi(downloads.checkDownload, { version: songVersionId })
  if (!check.is_last && !check.downloaded_at) return true
  return showDialog((finish) => <DownloadDialog check={check} finish={finish} />)
}

type Check = { title: string; version_label: string; downloaded_at: string | null; is_last: boolean }

function DownloadDialog({ check, finish }: { check: Check; finish: (isConfirmed: boolean) => void }) {
  const { title, version_label, downloaded_at, is_last } = check
  const [isNeverAgain, setNeverAgain] = useState(false)
  const name = { title, version: version_label }
  const sentences = [
    ...(downloaded_at ? [format(texts.youDownloadedThisOn, { date: formatDate(downloaded_at) })] : []),
    ...(is_last ? [format(texts.thisIsYourLastDownload, name)] : []),
  ]
  return (
    <ConfirmDialog
      title={downloaded_at ? format(texts.downloadAgain, name) : format(texts.useYourLastDownload, name)}
      what={sentences.join(' ')}
      confirmLabel={texts.download}
      onConfirm={async () => {
        if (isNeverAgain) storeNeverAsk()
        finish(true)
      }}
      onClose={() => finish(false)}
    >
      <Switch checked={isNeverAgain} onChange={setNeverAgain}>
        {texts.dontAskAgainOnThisDevice}
      </Switch>
    </ConfirmDialog>
  )
}

type BundleAnswer = { skip_downloaded?: true } | undefined

/** Asks once before several files are downloaded. Resolves with undefined if the member cancels. */
export const askBeforeBundle = (
  summary: downloads.DownloadSummary,
  question: BundleQuestion | undefined,
): Promise<BundleAnswer> =>
  showDialog((finish) => <BundleDialog summary={summary} question={question} finish={finish} />)

type BundleDialogProps = {
  summary: downloads.DownloadSummary
  question: BundleQuestion | undefined
  finish: (answer: BundleAnswer) => void
}

function BundleDialog({ summary, question, finish }: BundleDialogProps) {
  const { downloadable, last, repeated, limit } = summary
  const [isSkipping, setSkipping] = useState(false)
  const sentences = [
    ...(question ? [question.note] : []),
    // The downloads of staff are not counted.
    ...(question && limit !== null ? [usageText(summary)] : []),
    ...(repeated > 0 ? [format(texts.youDownloadedFilesBefore, { count: repeated })] : []),
    ...(last > 0 ? [format(texts.thisUsesTheLastDownload, { count: last })] : []),
  ]
  const count = isSkipping ? downloadable - repeated : downloadable
  return (
    <ConfirmDialog
      title={format(texts.downloadFilesQuestion, { count: downloadable })}
      what={sentences.join(' ')}
      confirmLabel={format(texts.downloadFiles, { count })}
      onConfirm={async () => finish(isSkipping ? { skip_downloaded: true } : {})}
      onClose={() => finish(undefined)}
    >
      <ZipFormat summary={summary} />
      {repeated > 0 && repeated < downloadable && (
        <Switch checked={isSkipping} onChange={setSkipping}>
          {format(texts.leaveOutDownloadedFiles, { count: repeated })}
        </Switch>
      )}
    </ConfirmDialog>
  )
}
