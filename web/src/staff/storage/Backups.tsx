import { desk } from '@dubplate/contract'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ago, useMinute } from '../../platform/ago.ts'
import { ask } from '../../platform/api.ts'
import { byteSize, count, exactDate, plural } from '../../platform/format.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastTrouble } from '../../ui/toast.ts'
import { timeInWords } from '../desk/figureWords.ts'
import lists from '../Lists.module.css'
import { momentInWords } from '../moments.ts'
import { waited } from '../ticketWaits.ts'
import css from './Storage.module.css'
import type { Shown } from './StorageDesk.tsx'
import { checkInWords, newestOf, scheduleInWords } from './storageWords.ts'

type Props = { shown: Shown; askAnew: () => Promise<unknown> }

/** The last backups, how old the newest is, and how one is made and brought back. */
export function Backups({ shown, askAnew }: Props) {
  const { backups, is_backup_old, backup_days, last_check } = shown
  return (
    <section className={lists.part} aria-labelledby="backups">
      <div className={lists.bar}>
        <SectionHead id="backups" title="Backups" />
        {shown.backup_dir !== null && <BackUpNow shown={shown} askAnew={askAnew} />}
      </div>
      <Age backups={backups} isOld={is_backup_old} days={backup_days} />
      {shown.backup_dir === null && (
        <p className={lists.note}>
          Set <code>BACKUP_DIR</code> on the worker to back up every night and from this page. Or run{' '}
          <code>npm run pool -- backup FOLDER</code> with a timer.
        </p>
      )}
      {shown.backup_dir !== null && <p className={lists.note}>{scheduleInWords(shown.schedule)}</p>}
      {backups.length > 0 && (
        <ol className={lists.cards} aria-label="Backups, newest first">
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

function Age({ backups, isOld, days }: { backups: readonly desk.Backup[]; isOld: boolean; days: number }) {
  const now = useMinute()
  const newest = newestOf(backups)
  if (!isOld && newest)
    return (
      <p className={css.good}>
        <IconCircleCheck size={16} aria-hidden />
        Latest backup: {waited(newest, now)} ago
      </p>
    )
  return (
    <p className={css.bad} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      {newest
        ? `Latest backup is ${waited(newest, now)} old (limit: ${plural(days, 'day')}).`
        : 'No verified backup. If this disk fails, data is lost.'}
    </p>
  )
}

function BackUpNow({ shown: { is_backing_up, backup_dir }, askAnew }: Props) {
  const [isBusy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      const { folder } = await ask(desk.backUp, {})
      void toast({ message: `Backup started in ${folder}` })
    } catch (error) {
      void toastTrouble('Couldn’t start the backup', error)
    }
    await askAnew()
    setBusy(false)
  }
  return (
    <Button look="primary" busy={isBusy || is_backing_up} title={`Saves to ${backup_dir}`} onClick={() => void make()}>
      {is_backing_up ? 'Backing up…' : 'Back up now'}
    </Button>
  )
}

function BackupCard({ backup }: { backup: desk.Backup }) {
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
    trouble,
    made_by,
    is_scheduled,
    files_in,
  } = backup
  return (
    <li className={`${lists.card} ${css.backup}`}>
      <header>
        <h3>
          <time dateTime={taken_at ?? ended_at} title={exactDate(taken_at ?? ended_at)}>
            {momentInWords(taken_at ?? ended_at)}
          </time>
        </h3>
        {trouble ? <b data-bad>Failed</b> : <Checked backup={backup} />}
      </header>
      <code>{folder}</code>
      {trouble && <p className={lists.trouble}>{trouble}</p>}
      <p className={lists.facts}>
        {!trouble && (
          <>
            <span>
              <b>{byteSize(bytes)}</b>
            </span>
            <span>{plural(rows, 'row')}</span>
            <span>
              {plural(files, 'file')}
              {copied < files && `, ${count(files - copied)} unchanged since the previous backup`}
            </span>
          </>
        )}
        <span>Took {timeInWords(seconds)}</span>
        <span>{is_scheduled ? 'scheduled' : made_by ? `started by ${made_by}` : 'started from the command line'}</span>
        {files_in === 'bucket' && <span>files kept in the bucket</span>}
      </p>
      {lost > 0 && (
        <p className={lists.trouble}>
          {plural(lost, 'file')} couldn’t be read from storage and {lost === 1 ? 'is' : 'are'} not in this backup.
        </p>
      )}
    </li>
  )
}

function Checked({ backup }: { backup: desk.Backup }) {
  const { checked_at, check_trouble } = backup
  const now = useMinute()
  return (
    <span title={check_trouble || undefined} data-bad={check_trouble !== '' || undefined}>
      {checkInWords(backup)}
      {checked_at && `, ${ago(checked_at, now)}`}
    </span>
  )
}

function LastCheck({ check }: { check: Shown['last_check'] }) {
  if (!check)
    return (
      <p className={lists.note}>
        No integrity check yet. Run <code>npm run pool -- check</code> to read every file and verify the ledger.
      </p>
    )
  const { at, read_files, troubles } = check
  return (
    <div className={css.check}>
      <p className={lists.note}>
        Last integrity check {momentInWords(at)}
        {read_files ? ' (full)' : ' (file sizes only)'}:{' '}
        {troubles.length === 0 ? 'no problems found' : 'problems found'}
      </p>
      {troubles.length > 0 && (
        <ul>
          {troubles.map((trouble) => (
            <li key={trouble}>{trouble}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function LastRehearsal({ rehearsal }: { rehearsal: Shown['last_rehearsal'] }) {
  if (!rehearsal)
    return (
      <p className={lists.note}>
        No restore has been rehearsed yet: <code>npm run pool -- rehearse-restore FOLDER</code> restores a backup into a
        scratch database and checks it.
      </p>
    )
  const { folder, ended_at, trouble } = rehearsal
  return (
    <div className={css.check}>
      <p className={lists.note}>
        Restore last rehearsed {momentInWords(ended_at)} with <code>{folder}</code>:{' '}
        {trouble ? 'it failed.' : 'it worked.'}
      </p>
      {trouble && (
        <ul>
          <li>{trouble}</li>
        </ul>
      )}
    </div>
  )
}

const Restoring = () => (
  <details className={css.restoring}>
    <summary>How to restore</summary>
    <ol>
      <li>
        Verify the backup first. This changes nothing: <code>npm run pool -- restore FOLDER --dry-run</code>
      </li>
      <li>
        Stop the server. Create an empty database and an empty data folder (or bucket). Restore never overwrites data.
      </li>
      <li>
        Copy the old secret into the new data folder as <code>secret</code>. It isn’t part of the backup, and two-factor
        sign-in stops working without it.
      </li>
      <li>
        Run <code>npm run pool -- restore FOLDER</code>, then <code>npm run pool -- check</code>, then start the server.
      </li>
    </ol>
    <p>
      Emails that were pending when the backup was made are sent again after a restore, unless you add{' '}
      <code>--hold-mail</code>. To restore single files instead, use <code>--file</code> or <code>--song</code>.
    </p>
  </details>
)
