import { downloads, type ReplyOf } from '@dubplate/contract'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { formatDate } from '../format/dates.ts'
import { format } from '../format/message.ts'
import type { Ownership } from '../ownLibrary/ownership.ts'
import { callApi } from '../platform/api.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Switch } from '../ui/Switch.tsx'
import type { BundleQuestion } from './bundles.ts'
import { LeaveOut } from './LeaveOut.tsx'
import { countLeftOut, type LeftOut } from './leftOut.ts'
import * as texts from './texts.ts'
import { usageText } from './usageText.ts'
import { ZipFormat } from './ZipFormat.tsx'

/** Each question can be turned off on a device. */
const NEVER_ASK_KEYS = {
  repeat: 'dubplate.download-without-asking',
  owned: 'dubplate.download-owned-without-asking',
}
type Question = keyof typeof NEVER_ASK_KEYS

function isNeverAsked(question: Question): boolean {
  try {
    return localStorage.getItem(NEVER_ASK_KEYS[question]) !== null
  } catch {
    return false
  }
}

function storeNeverAsk(question: Question) {
  try {
    localStorage.setItem(NEVER_ASK_KEYS[question], '1')
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
 * Asks before a download that was made before, uses up the last one of its version, or is in the member's DJ library.
 * Resolves with false if the member cancels.
 */
export async function confirmDownload(songVersionId: number, inLibrary: Ownership): Promise<boolean> {
  const ownership = isNeverAsked('owned') ? undefined : inLibrary
  const isRepeatAsked = !isNeverAsked('repeat')
  if (!ownership && !isRepeatAsked) return true
  const check = await callApi(downloads.checkDownload, { version: songVersionId })
  const { title, version_label } = check
  const downloaded_at = isRepeatAsked ? check.downloaded_at : null
  const is_last = isRepeatAsked && check.is_last
  if (!is_last && !downloaded_at && !ownership) return true
  const reasons = { title, version_label, downloaded_at, is_last, ownership }
  return showDialog((finish) => <DownloadDialog reasons={reasons} finish={finish} />)
}

type Reasons = Pick<
  ReplyOf<typeof downloads.checkDownload>,
  'title' | 'version_label' | 'downloaded_at' | 'is_last'
> & {
  ownership: Ownership
}

const OWNERSHIP_TEXTS = { version: texts.alreadyInYourDjLibrary, song: texts.maybeInYourDjLibrary }

function titleOf({ title, version_label, downloaded_at, is_last }: Reasons): string {
  const name = { title, version: version_label }
  if (downloaded_at) return format(texts.downloadAgain, name)
  return format(is_last ? texts.useYourLastDownload : texts.downloadQuestion, name)
}

function DownloadDialog({ reasons, finish }: { reasons: Reasons; finish: (isConfirmed: boolean) => void }) {
  const { title, version_label, downloaded_at, is_last, ownership } = reasons
  const [isNeverAgain, setNeverAgain] = useState(false)
  const name = { title, version: version_label }
  const sentences = [
    ...(ownership ? [OWNERSHIP_TEXTS[ownership]] : []),
    ...(downloaded_at ? [format(texts.youDownloadedThisOn, { date: formatDate(downloaded_at) })] : []),
    ...(is_last ? [format(texts.thisIsYourLastDownload, name)] : []),
  ]
  return (
    <ConfirmDialog
      title={titleOf(reasons)}
      what={sentences.join(' ')}
      confirmLabel={texts.download}
      onConfirm={async () => {
        if (isNeverAgain && ownership) storeNeverAsk('owned')
        if (isNeverAgain && (downloaded_at || is_last)) storeNeverAsk('repeat')
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

/** Asks once before several files are downloaded. Resolves with undefined if the member cancels. */
export const askBeforeBundle = (
  summary: downloads.DownloadSummary,
  question: BundleQuestion | undefined,
): Promise<LeftOut | undefined> =>
  showDialog((finish) => <BundleDialog summary={summary} question={question} finish={finish} />)

type BundleDialogProps = {
  summary: downloads.DownloadSummary
  question: BundleQuestion | undefined
  finish: (answer: LeftOut | undefined) => void
}

function BundleDialog({ summary, question, finish }: BundleDialogProps) {
  const { downloadable, last, repeated, in_library, limit } = summary
  const [leftOut, setLeftOut] = useState<LeftOut>({})
  const sentences = [
    ...(question ? [question.note] : []),
    // The downloads of staff are not counted.
    ...(question && limit !== null ? [usageText(summary)] : []),
    ...(repeated > 0 ? [format(texts.youDownloadedFilesBefore, { count: repeated })] : []),
    ...(in_library > 0 ? [format(texts.filesInYourDjLibrary, { count: in_library })] : []),
    ...(last > 0 ? [format(texts.thisUsesTheLastDownload, { count: last })] : []),
  ]
  const count = downloadable - countLeftOut(summary, leftOut)
  return (
    <ConfirmDialog
      title={format(texts.downloadFilesQuestion, { count: downloadable })}
      what={sentences.join(' ')}
      confirmLabel={count > 0 ? format(texts.downloadFiles, { count }) : texts.close}
      onConfirm={async () => finish(count > 0 ? leftOut : undefined)}
      onClose={() => finish(undefined)}
    >
      <ZipFormat summary={summary} />
      <LeaveOut summary={summary} value={leftOut} onChange={setLeftOut} />
    </ConfirmDialog>
  )
}
