import type { downloads } from '@dubplate/contract'
import { IconAlertTriangle, IconArrowDown, IconCloudUp, IconDeviceUsb } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { chooseKit } from '../booth/kits/kitChoice.ts'
import { chooseSend } from '../cloudDelivery/sendChoice.ts'
import { useSendLabel } from '../cloudDelivery/useSendLabel.ts'
import { downloadCrate } from '../downloads/crateZips.ts'
import { isBusy, useDownloads } from '../downloads/download.ts'
import { zipFormatFor } from '../downloads/downloadFormats.ts'
import { ZipFormat } from '../downloads/ZipFormat.tsx'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import { keepDownloadToPayFor } from '../membership/pendingAction.ts'
import { useOwned } from '../ownLibrary/owned.ts'
import { usePreferences } from '../platform/preferences.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import css from './Crate.module.css'
import { useLibrary } from './library.ts'
import * as texts from './texts.ts'

type Summary = downloads.DownloadSummary

type Props = {
  genre: number | undefined
  summary: Summary | undefined
  /** Set if the summary could not be loaded: the crate can be downloaded anyway. */
  error: Error | null
  retry: () => void
}

/** What downloading the crate contains and uses, and the button for it. */
export function CrateFooter({ genre, summary, error, retry }: Props) {
  const isUnpaid = useSession(({ profile }) => profile?.payment_profile_status === 'unpaid')
  // Staff download without a plan and without a limit.
  const needsPlan = isUnpaid && summary?.limit !== null
  return (
    <section className={css.footer} aria-label={texts.download} aria-busy={!summary && !error}>
      <div className={css.totals} aria-live="polite">
        {error && (
          <span>
            {texts.couldntLoadTheTotals}{' '}
            <button type="button" className={css.link} onClick={retry}>
              {texts.tryAgain}
            </button>
          </span>
        )}
        {summary && <Totals summary={summary} needsPlan={needsPlan} />}
        {summary && genre === undefined && <OwnedFiles />}
        {summary && !needsPlan && <ZipFormat summary={summary} />}
      </div>
      {needsPlan ? (
        <Link
          to="/subscription/plans"
          className={button.button}
          data-look="primary"
          onClick={() => keepDownloadToPayFor({ kind: 'download', args: ['crate'], title: undefined })}
        >
          {texts.chooseAPlan}
        </Link>
      ) : (
        <div className={css.downloads}>
          <SendButton genre={genre} />
          <Button className={css.kit} title={texts.downloadForDjSoftware} onClick={() => chooseCrateKit(genre)}>
            <IconDeviceUsb size={18} stroke={1.8} aria-hidden />
            <span>{texts.downloadForDjSoftware}</span>
          </Button>
          <DownloadCrateButton genre={genre} summary={summary} error={error} />
        </div>
      )}
    </section>
  )
}

function SendButton({ genre }: Pick<Props, 'genre'>) {
  const label = useSendLabel()
  if (!label) return null
  const send = () => chooseSend({ title: texts.yourCrate, source: { crate: true, genre_id: genre } })
  return (
    <Button className={css.send} aria-label={label} title={label} onClick={send}>
      <IconCloudUp size={18} stroke={1.8} aria-hidden />
    </Button>
  )
}

/** Files of the crate that the member has already, and a button to remove them. */
function OwnedFiles() {
  const crateVersions = useLibrary((library) => library.crateVersions)
  const owned = useOwned(({ versions }) => versions)
  const versionIds = [...crateVersions].filter((id) => owned.has(id))
  if (versionIds.length === 0) return null
  const remove = async () => (await import('./crateChanges.ts')).removeFromCrate(versionIds)
  return (
    <span className={css.warning}>
      <IconAlertTriangle size={14} aria-hidden />
      {format(texts.filesInDjLibrary, { count: versionIds.length })}
      <button type="button" className={css.link} onClick={() => void remove()}>
        {texts.removeThem}
      </button>
    </span>
  )
}

const chooseCrateKit = (genre: number | undefined) =>
  chooseKit({ title: texts.yourCrate, source: { crate: true, genre_id: genre } })

/** How many downloads are missing this month. */
const missingDownloads = ({ month, uses }: Summary) => (month ? Math.max(0, uses - month.left) : 0)

function Totals({ summary, needsPlan }: { summary: Summary; needsPlan: boolean }) {
  const { songs, files, bytes } = summary
  const chosen = usePreferences(({ zipFormat }) => zipFormat)
  // The size of converted files is known once they are made.
  const totals = zipFormatFor(summary, chosen) === 'original' ? texts.crateTotals : texts.crateTotalsConverted
  const missing = missingDownloads(summary)
  const problem = summary.has_bundle
    ? missing > 0 && format(texts.needMoreDownloads, { count: missing })
    : texts.planHasNoCrateZips
  const warnings = needsPlan ? [] : warningsOf(summary)
  return (
    <>
      <b>{format(totals, { songs, files, size: formatBytes(bytes) })}</b>
      <span>{needsPlan ? texts.downloadsNeedAPlan : usageText(summary)}</span>
      {problem && !needsPlan && (
        <span className={css.warning}>
          <IconAlertTriangle size={14} aria-hidden />
          {problem}
          <Link to="/subscription/plans" className={css.link}>
            {texts.seePlans}
          </Link>
        </span>
      )}
      {warnings.length > 0 && (
        <span className={css.warning}>
          <IconAlertTriangle size={14} aria-hidden />
          {warnings.join(' · ')}
        </span>
      )}
    </>
  )
}

function usageText({ uses, month, limit }: Summary): string {
  if (month) return format(texts.downloadsUsedOfMonth, { count: uses, ...month })
  if (limit === null) return format(texts.downloadsUsed, { count: uses })
  return format(texts.downloadsUsedOfVersions, { count: uses, limit })
}

const warningsOf = ({ last, repeated, used_up, too_early, unavailable }: Summary): string[] => [
  ...(last > 0 ? [format(texts.lastDownloadFor, { count: last })] : []),
  ...(repeated > 0 ? [format(texts.filesAlreadyDownloaded, { count: repeated })] : []),
  ...(used_up > 0 ? [format(texts.filesUsedUp, { count: used_up })] : []),
  ...(too_early > 0 ? [format(texts.filesTooEarly, { count: too_early })] : []),
  ...(unavailable > 0 ? [format(texts.filesUnavailable, { count: unavailable })] : []),
]

function DownloadCrateButton({ genre, summary, error }: Pick<Props, 'genre' | 'summary' | 'error'>) {
  const isDownloading = useDownloads(isBusy('crate'))
  const count = summary?.downloadable ?? 0
  const isDisabled = summary ? count === 0 || !summary.has_bundle || missingDownloads(summary) > 0 : !error
  const label = !summary
    ? texts.downloadCrate
    : count === 0
      ? texts.nothingToDownload
      : format(texts.downloadFiles, { count })
  return (
    <Button variant="primary" busy={isDownloading} disabled={isDisabled} onClick={() => void downloadCrate(genre)}>
      {!isDownloading && <IconArrowDown size={18} aria-hidden />}
      {label}
    </Button>
  )
}
