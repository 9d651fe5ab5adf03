import { dashboard } from '@dubplate/contract'
import { Accordion, Alert, Button, Code, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Status, TimeCell } from '../../admin/cells.tsx'
import { Note, PageSection } from '../../admin/PageSection.tsx'
import { SimpleTable } from '../../admin/SimpleTable.tsx'
import { count, formatBytes, formatExactDate } from '../../format/format.ts'
import { format, rich } from '../../format/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { timeInWords } from '../dashboard/metricTexts.ts'
import { waited } from '../support/ticketWaits.ts'
import { describeSchedule, describeVerification, newestBackupTime, type StorageReport } from './storageTexts.ts'
import * as texts from './texts.ts'

type Props = { report: StorageReport }

const code = (inside: ReactNode) => <Code>{inside}</Code>

/** The last backups, the age of the newest, and how to make and restore one. */
export function Backups({ report }: Props) {
  const { backups, backup_dir, schedule, last_check, last_rehearsal } = report
  return (
    <PageSection title={texts.backups} actions={backup_dir !== null && <BackUpNow report={report} />}>
      <Age report={report} />
      <Note>
        {backup_dir === null ? rich(texts.setBackupDirOnThe, { code, code2: code }) : describeSchedule(schedule)}
      </Note>
      {backups.length > 0 && (
        <SimpleTable
          name={texts.backupsNewestFirst}
          head={[texts.backup, texts.status]}
          rows={backups.map((backup) => ({
            key: String(backup.backup_id),
            cells: [<Backup key="backup" backup={backup} />, <BackupStatus key="status" backup={backup} />],
          }))}
        />
      )}
      <LastCheck check={last_check} />
      <LastRehearsal rehearsal={last_rehearsal} />
      <HowToRestore />
    </PageSection>
  )
}

function Age({ report: { backups, is_backup_old, backup_days: days } }: Props) {
  const now = useCurrentMinute()
  const newest = newestBackupTime(backups)
  if (!newest) return <Alert color="var(--danger)">{texts.noVerifiedBackupIfThis}</Alert>
  const age = waited(newest, now)
  return is_backup_old ? (
    <Alert color="var(--danger)">{format(texts.latestBackupIsOldLimit, { age, days })}</Alert>
  ) : (
    <Status tone="ok">{format(texts.latestBackupAgo, { age })}</Status>
  )
}

function BackUpNow({ report: { is_backing_up, backup_dir } }: Props) {
  const start = useApiMutation(dashboard.backUp, {
    success: ({ folder }) => ({ message: format(texts.backupStartedIn, { folder }) }),
    errorTitle: texts.couldntStartTheBackup,
    invalidates: [dashboard.getStorage],
  })
  return (
    <Button
      loading={start.isPending || is_backing_up}
      title={format(texts.savesTo, { backup_dir: backup_dir ?? '' })}
      onClick={() => start.mutate({})}
    >
      {is_backing_up ? texts.backingUp : texts.backUpNow}
    </Button>
  )
}

function Backup({ backup }: { backup: dashboard.Backup }) {
  const { folder, taken_at, ended_at, seconds, bytes, rows, files, copied, lost, error_message } = backup
  const contents = [
    formatBytes(bytes),
    format(texts.rowsCount, { rows }),
    copied < files
      ? format(texts.filesUnchanged, { files, unchanged: count(files - copied) })
      : format(texts.filesCount, { files }),
  ]
  const facts = [
    ...(error_message ? [] : contents),
    format(texts.took, { seconds: timeInWords(seconds) }),
    startText(backup),
    ...(backup.files_in === 'bucket' ? [texts.filesKeptInTheBucket] : []),
  ]
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      <TimeCell at={taken_at ?? ended_at} />
      <Text fz="xs" ff="monospace" c="dimmed">
        {folder}
      </Text>
      <Text fz="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {[error_message, lost > 0 && format(texts.filesCouldntBeReadFrom, { lost })].map(
        (problem) =>
          problem && (
            <Text key={problem} fz="xs" c="var(--danger)">
              {problem}
            </Text>
          ),
      )}
    </Stack>
  )
}

function startText({ is_scheduled, requested_by }: dashboard.Backup): string {
  if (is_scheduled) return texts.scheduledBackup
  return requested_by ? format(texts.startedBy, { requested_by }) : texts.startedFromTheCommandLine
}

function BackupStatus({ backup }: { backup: dashboard.Backup }) {
  const { checked_at, check_error, error_message } = backup
  const now = useCurrentMinute()
  if (error_message) return <Status tone="danger">{texts.failed}</Status>
  const state = describeVerification(backup)
  return (
    <Status tone={check_error ? 'danger' : checked_at ? 'ok' : 'neutral'}>
      <span title={check_error || undefined}>
        {checked_at ? format(texts.checkedAgo, { state, ago: formatTimeAgo(checked_at, now) }) : state}
      </span>
    </Status>
  )
}

const LAST_CHECK = {
  full: { ok: texts.fullCheckNoProblems, problems: texts.fullCheckProblems },
  sizes: { ok: texts.sizeCheckNoProblems, problems: texts.sizeCheckProblems },
} as const

function LastCheck({ check }: { check: StorageReport['last_check'] }) {
  if (!check) return <Note>{rich(texts.noIntegrityCheckYetRun, { code })}</Note>
  const { at, read_files, problems } = check
  const title = format(LAST_CHECK[read_files ? 'full' : 'sizes'][problems.length === 0 ? 'ok' : 'problems'], {
    at: formatExactDate(at),
  })
  if (problems.length === 0) return <Note>{title}</Note>
  return (
    <Alert color="var(--danger)" title={title}>
      <List fz="sm" listStyleType="disc" style={{ overflowWrap: 'anywhere' }}>
        {problems.map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
    </Alert>
  )
}

function LastRehearsal({ rehearsal }: { rehearsal: StorageReport['last_rehearsal'] }) {
  if (!rehearsal) return <Note>{rich(texts.noRestoreHasBeenRehearsed, { code })}</Note>
  const { folder, ended_at, error_message } = rehearsal
  const text = rich(error_message ? texts.restoreRehearsalFailed : texts.restoreRehearsalSucceeded, {
    ended_at: formatExactDate(ended_at),
    folder,
    code,
  })
  if (!error_message) return <Note>{text}</Note>
  return (
    <Alert color="var(--danger)" title={text}>
      {error_message}
    </Alert>
  )
}

const HowToRestore = () => (
  <Accordion maw="72ch" variant="contained">
    <Accordion.Item value="restore">
      <Accordion.Control fz="sm">{texts.howToRestore}</Accordion.Control>
      <Accordion.Panel>
        <List type="ordered" fz="sm" spacing={6} listStyleType="decimal" withPadding mb="sm">
          <List.Item>{rich(texts.verifyTheBackupFirstThis, { code })}</List.Item>
          <List.Item>{texts.stopTheServerCreateAn}</List.Item>
          <List.Item>{rich(texts.copyTheOldSecretInto, { code })}</List.Item>
          <List.Item>{rich(texts.runNpmRunPoolRestore, { code, code2: code })}</List.Item>
        </List>
        <Note>{rich(texts.emailsThatWerePendingWhen, { code, code2: code, code3: code })}</Note>
      </Accordion.Panel>
    </Accordion.Item>
  </Accordion>
)
