import { dashboard } from '@dubplate/contract'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { count, formatBytes, formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { timeInWords } from '../dashboard/figureWords.ts'
import lists from '../Lists.module.css'
import { momentInWords } from '../moments.ts'
import { waited } from '../support/ticketWaits.ts'
import css from './Storage.module.css'
import type { Shown } from './StoragePage.tsx'
import { checkInWords, newestOf, scheduleInWords } from './storageWords.ts'
import * as texts from './texts.ts'

type Props = { shown: Shown; askAnew: () => Promise<unknown> }

/** The last backups, the age of the newest, and how to make and restore one. */
export function Backups({ shown, askAnew }: Props) {
  const { backups, is_backup_old, backup_days, last_check } = shown
  return (
    <section className={lists.part} aria-labelledby="backups">
      <div className={lists.bar}>
        <SectionHead id="backups" title={texts.backups} />
        {shown.backup_dir !== null && <BackUpNow shown={shown} askAnew={askAnew} />}
      </div>
      <Age backups={backups} isOld={is_backup_old} days={backup_days} />
      {shown.backup_dir === null && (
        <p className={lists.note}>
          {rich(texts.setBackupDirOnThe, {
            code: (inside) => <code>{inside}</code>,
            code2: (inside) => <code>{inside}</code>,
          })}
        </p>
      )}
      {shown.backup_dir !== null && <p className={lists.note}>{scheduleInWords(shown.schedule)}</p>}
      {backups.length > 0 && (
        <ol className={lists.cards} aria-label={texts.backupsNewestFirst}>
          {backups.map((backup) => (
            <BackupCard key={backup.backup_id} backup={backup} />
          ))}
        </ol>
      )}
      <LastCheck check={last_check} />
      <LastRehearsal rehearsal={shown.last_rehearsal} />
      <Restoring />
    </section>
  )
}

function Age({ backups, isOld, days }: { backups: readonly dashboard.Backup[]; isOld: boolean; days: number }) {
  const now = useCurrentMinute()
  const newest = newestOf(backups)
  if (!isOld && newest)
    return (
      <p className={css.good}>
        <IconCircleCheck size={16} aria-hidden />
        {format(texts.latestBackupAgo, { waited: waited(newest, now) })}
      </p>
    )
  return (
    <p className={css.bad} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      {newest
        ? format(texts.latestBackupIsOldLimit, { waited: waited(newest, now), days })
        : texts.noVerifiedBackupIfThis}
    </p>
  )
}

function BackUpNow({ shown: { is_backing_up, backup_dir }, askAnew }: Props) {
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      const { folder } = await callApi(dashboard.backUp, {})
      void toast({ message: format(texts.backupStartedIn, { folder }) })
    } catch (error) {
      void toastError(texts.couldntStartTheBackup, error)
    }
    await askAnew()
    setBusy(false)
  }
  return (
    <Button
      variant="primary"
      busy={isBusy || is_backing_up}
      title={format(texts.savesTo, { backup_dir: backup_dir ?? '' })}
      onClick={() => void make()}
    >
      {is_backing_up ? texts.backingUp : texts.backUpNow}
    </Button>
  )
}

function BackupCard({ backup }: { backup: dashboard.Backup }) {
  const {
    folder,
    taken_at,
    ended_at,
    seconds,
    bytes,
    rows,
    files,
    copied,
    lost,
    error_message,
    requested_by,
    is_scheduled,
    files_in,
  } = backup
  return (
    <li className={`${lists.card} ${css.backup}`}>
      <header>
        <h3>
          <time dateTime={taken_at ?? ended_at} title={formatExactDate(taken_at ?? ended_at)}>
            {momentInWords(taken_at ?? ended_at)}
          </time>
        </h3>
        {error_message ? <b data-bad>{texts.failed}</b> : <Checked backup={backup} />}
      </header>
      <code>{folder}</code>
      {error_message && <p className={lists.trouble}>{error_message}</p>}
      <p className={lists.facts}>
        {!error_message && (
          <>
            <span>
              <b>{formatBytes(bytes)}</b>
            </span>
            <span>{format(texts.rowsCount, { rows })}</span>
            <span>
              {copied < files
                ? format(texts.filesUnchanged, { files, unchanged: count(files - copied) })
                : format(texts.filesCount, { files })}
            </span>
          </>
        )}
        <span>{format(texts.took, { seconds: timeInWords(seconds) })}</span>
        <span>
          {is_scheduled
            ? texts.scheduledBackup
            : requested_by
              ? format(texts.startedBy, { requested_by })
              : texts.startedFromTheCommandLine}
        </span>
        {files_in === 'bucket' && <span>{texts.filesKeptInTheBucket}</span>}
      </p>
      {lost > 0 && <p className={lists.trouble}>{format(texts.filesCouldntBeReadFrom, { lost })}</p>}
    </li>
  )
}

function Checked({ backup }: { backup: dashboard.Backup }) {
  const { checked_at, check_error } = backup
  const now = useCurrentMinute()
  return (
    <span title={check_error || undefined} data-bad={check_error !== '' || undefined}>
      {checked_at
        ? format(texts.checkedAgo, { state: checkInWords(backup), ago: formatTimeAgo(checked_at, now) })
        : checkInWords(backup)}
    </span>
  )
}

const LAST_CHECK = {
  full: { ok: texts.fullCheckNoProblems, problems: texts.fullCheckProblems },
  sizes: { ok: texts.sizeCheckNoProblems, problems: texts.sizeCheckProblems },
} as const

function LastCheck({ check }: { check: Shown['last_check'] }) {
  if (!check)
    return (
      <p className={lists.note}>{rich(texts.noIntegrityCheckYetRun, { code: (inside) => <code>{inside}</code> })}</p>
    )
  const { at, read_files, problems } = check
  return (
    <div className={css.check}>
      <p className={lists.note}>
        {format(LAST_CHECK[read_files ? 'full' : 'sizes'][problems.length === 0 ? 'ok' : 'problems'], {
          at: momentInWords(at),
        })}
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map((error_message) => (
            <li key={error_message}>{error_message}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function LastRehearsal({ rehearsal }: { rehearsal: Shown['last_rehearsal'] }) {
  if (!rehearsal)
    return (
      <p className={lists.note}>{rich(texts.noRestoreHasBeenRehearsed, { code: (inside) => <code>{inside}</code> })}</p>
    )
  const { folder, ended_at, error_message } = rehearsal
  return (
    <div className={css.check}>
      <p className={lists.note}>
        {rich(error_message ? texts.restoreRehearsalFailed : texts.restoreRehearsalSucceeded, {
          ended_at: momentInWords(ended_at),
          folder,
          code: (inside) => <code>{inside}</code>,
        })}
      </p>
      {error_message && (
        <ul>
          <li>{error_message}</li>
        </ul>
      )}
    </div>
  )
}

const Restoring = () => (
  <details className={css.restoring}>
    <summary>{texts.howToRestore}</summary>
    <ol>
      <li>{rich(texts.verifyTheBackupFirstThis, { code: (inside) => <code>{inside}</code> })}</li>
      <li>{texts.stopTheServerCreateAn}</li>
      <li>{rich(texts.copyTheOldSecretInto, { code: (inside) => <code>{inside}</code> })}</li>
      <li>
        {rich(texts.runNpmRunPoolRestore, {
          code: (inside) => <code>{inside}</code>,
          code2: (inside) => <code>{inside}</code>,
        })}
      </li>
    </ol>
    <p>
      {rich(texts.emailsThatWerePendingWhen, {
        code: (inside) => <code>{inside}</code>,
        code2: (inside) => <code>{inside}</code>,
        code3: (inside) => <code>{inside}</code>,
      })}
    </p>
  </details>
)
