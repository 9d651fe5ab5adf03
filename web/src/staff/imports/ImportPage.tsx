import { imports } from '@dubplate/contract'
import { IconArrowLeft, IconDownload } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count, formatBytes, formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { queryClient, useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import lists from '../Lists.module.css'
import { sectionName } from '../uploads/uploadStates.ts'
import { FolderDrop, whyNot } from './BrowserFolder.tsx'
import { forgetFolder } from './folderHandles.ts'
import { type Sending, sendFolder, stopSending, useImportSending } from './folderUpload.ts'
import { ImportFiles } from './ImportFiles.tsx'
import css from './Imports.module.css'
import { isWorkedOn, outcomeOf, progressOf, type Sample, standingOf, withSample } from './importStatus.ts'
import { changeImport, fetchReport, removeImport } from './imports.ts'
import { SheetReports } from './SheetReports.tsx'
import * as texts from './texts.ts'
import { useKeptFolder } from './useStoredFolder.ts'

type Run = imports.ImportRun

const LOOK_EVERY_MS = 1000

/** One import: its progress, its actions, and the result of each file. */
export function ImportView({ runId }: { runId: number }) {
  const [isBusy, setBusy] = useState(true)
  const { data, error, refetch } = useApiQuery(
    imports.getImport,
    { import_run_id: runId },
    isBusy ? { refetchMs: LOOK_EVERY_MS } : {},
  )
  const run = data?.import
  const sending = useImportSending(({ now }) => (now?.import_run_id === runId ? now : undefined))
  const isMoving = run !== undefined && (isWorkedOn(run) || sending?.state === 'sending')
  useEffect(() => setBusy(isMoving || run === undefined), [isMoving, run])
  useFilesAnew(run)
  if (!run)
    return error ? (
      <ErrorState error={error} subject={texts.thisImport} retry={() => void refetch()} />
    ) : (
      <div className={css.head} style={{ height: 180 }} aria-busy />
    )
  return (
    <>
      <p>
        <Link to="/staff/import" className={css.facts}>
          <IconArrowLeft size={14} aria-hidden /> {texts.allImports}
        </Link>
      </p>
      <Head run={run} sending={sending} />
      {run.state === 'uploading' && <SendOn run={run} sending={sending} />}
      {sending && <LeftBehind sending={sending} />}
      <SheetReports sheets={run.sheets} />
      {run.files > 0 && <ImportFiles run={run} />}
    </>
  )
}

/** Reloads the visible rows each time several more files are done. */
function useFilesAnew(run: Run | undefined) {
  const seen = useRef('')
  const now = run && `${run.state} ${run.phase} ${isWorkedOn(run) ? Math.floor(run.files_done / 20) : run.files_done}`
  useEffect(() => {
    if (now && seen.current && seen.current !== now)
      void queryClient.invalidateQueries({ queryKey: [imports.getImportFiles.path] })
    if (now) seen.current = now
  }, [now])
}

function Head({ run, sending }: { run: Run; sending: Sending | undefined }) {
  const minute = useCurrentMinute()
  const { folder, source, song_section_id, genre, started_by, created_at, state, error_message, ended_at } = run
  const isOver = !isWorkedOn(run) && state !== 'uploading'
  return (
    <section className={css.head} aria-label={texts.thisImport}>
      <h2>{folder}</h2>
      <p className={css.facts}>
        {source === 'browser' ? texts.uploadedFromBrowser : texts.serverFolder} · {sectionName(song_section_id)}
        {genre && ` · ${format(texts.defaultGenreOfImport, { genre })}`}
        {run.pattern && (
          <> · {rich(texts.pathsReadAs, { pattern: run.pattern, code: (inside) => <code>{inside}</code> })}</>
        )}
        {started_by && ` · ${format(texts.startedBy, { dj_name: started_by.dj_name })}`}
        {' · '}
        <time dateTime={created_at} title={formatExactDate(created_at)}>
          {formatTimeAgo(created_at, minute)}
        </time>
      </p>
      <p role="status">
        <b>{standingOf(run)}</b>
        {isOver && run.files > 0 && ` · ${outcomeOf(run)}`}
        {isOver && run.files === 0 && !error_message && ` · ${texts.noAudioFilesFound}`}
        {isOver && ended_at && <span className={css.facts}> · {formatTimeAgo(ended_at, minute)}</span>}
      </p>
      {error_message && (
        <p role="alert" className={css.trouble}>
          {error_message}
        </p>
      )}
      {isWorkedOn(run) && <Working run={run} />}
      <Deeds run={run} isSending={sending?.state === 'sending' || sending?.state === 'waiting'} />
    </section>
  )
}

function Working({ run }: { run: Run }) {
  const samples = useRef<Sample[]>([])
  useEffect(() => {
    samples.current = withSample(samples.current, { at: Date.now(), run })
  }, [run])
  return (
    <>
      <progress
        value={run.bytes_done}
        max={Math.max(run.bytes, 1)}
        aria-label={run.phase === 'plan' ? texts.scanProgress : texts.importProgress}
      />
      <p className={`${css.facts} num`}>{progressOf(run, samples.current)}</p>
    </>
  )
}

function Deeds({ run, isSending }: { run: Run; isSending: boolean }) {
  const navigate = useNavigate()
  const [busy, setBusy] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const { import_run_id: id, phase, state, versions_added, files_uploaded } = run
  const does = async (name: string, deed: Parameters<typeof changeImport>[0]) => {
    setBusy(name)
    await changeImport(deed, id)
    setBusy(undefined)
  }
  const isPlanned = phase === 'plan' && state === 'done'
  const isBroken = state === 'stopped' || state === 'failed'
  return (
    <div className={css.actions}>
      {isWorkedOn(run) && (
        <Button busy={busy === 'stop'} onClick={() => void does('stop', imports.stopImport)}>
          {texts.stop}
        </Button>
      )}
      {isPlanned && versions_added > 0 && (
        <Button variant="primary" busy={busy === 'do'} onClick={() => void does('do', imports.doImport)}>
          {format(texts.importFiles, { versions_added })}
        </Button>
      )}
      {isBroken && phase === 'import' && (
        <Button variant="primary" busy={busy === 'do'} onClick={() => void does('do', imports.doImport)}>
          {texts.continueImport}
        </Button>
      )}
      {phase === 'plan' && (isPlanned || isBroken) && (
        <Button busy={busy === 'plan'} onClick={() => void does('plan', imports.planImport)}>
          {texts.rescan}
        </Button>
      )}
      {state === 'uploading' && !isSending && files_uploaded > 0 && (
        <Button busy={busy === 'plan'} onClick={() => void does('plan', imports.planImport)}>
          {texts.scanUploadedFiles}
        </Button>
      )}
      {run.files > 0 && state !== 'uploading' && (
        <Button onClick={() => void fetchReport(id)}>
          <IconDownload size={16} aria-hidden />
          {texts.downloadReportCsv}
        </Button>
      )}
      {!isWorkedOn(run) && !isSending && <Button onClick={() => setAsking(true)}>{texts.deleteMenuItem}</Button>}
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteImport}
          what={texts.theReportAndAnyUploaded}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={async () => {
            await removeImport(id)
            await forgetFolder(id)
            await navigate({ to: '/staff/import' })
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/**
 * Uploads from this tab; files that have arrived are not sent again. After a reload, some browsers need the folder to
 * be chosen again.
 */
function SendOn({ run, sending }: { run: Run; sending: Sending | undefined }) {
  const [complaint, setComplaint] = useState('')
  const kept = useKeptFolder(run.import_run_id)
  if (sending && sending.state !== 'stopped') return <NowSending run={run} sending={sending} />
  if (kept.state === 'opening') return null
  return (
    <FolderDrop
      label={texts.continueUpload}
      onChoose={(folder) => {
        const why = folder ? whyNot(folder) : ''
        setComplaint(why)
        if (folder && !why) void sendFolder(run.import_run_id, folder)
      }}
    >
      <p className={css.facts} role="status">
        {kept.state === 'prompt'
          ? format(texts.yourBrowserNeedsYourPermission, { folder: run.folder })
          : run.files > 0
            ? format(texts.ofFilesUploadedChooseThe, { files_uploaded: count(run.files_uploaded), files: run.files })
            : texts.noFilesUploadedYetChoose}
      </p>
      {kept.state === 'prompt' && (
        <div className={css.actions}>
          <Button variant="primary" onClick={() => void kept.resume()}>
            {texts.resumeUpload}
          </Button>
        </div>
      )}
      <p className={css.facts} role="status" hidden={!kept.why && kept.state !== 'other-tab'}>
        {kept.why || texts.thisFolderIsBeingSent}
      </p>
      <p role="alert" className={css.trouble} hidden={!complaint}>
        {complaint}
      </p>
    </FolderDrop>
  )
}

/** Shown also after the import continues without these files. */
function LeftBehind({ sending: { left, coversLeft, sheetsLeft } }: { sending: Sending }) {
  const all = [...left, ...coversLeft, ...sheetsLeft]
  if (all.length === 0) return null
  return (
    <ul className={css.left} aria-label={texts.notUploaded}>
      {all.map(({ path, why }) => (
        <li key={path}>{path ? format(texts.pathAndReason, { path, why }) : why}</li>
      ))}
    </ul>
  )
}

function NowSending({ run, sending }: { run: Run; sending: Sending }) {
  const { files, checked, here, arrived, arrivedBytes, bytes, covers, sheets, left, state } = sending
  return (
    <section className={css.head} aria-label={texts.upload}>
      <progress value={here + arrived + left.length} max={Math.max(files, 1)} aria-label={texts.filesUploaded} />
      <p className={`${css.facts} num`}>
        {format(texts.ofFilesCheckedAlreadyIn, {
          checked: count(checked),
          files,
          here: count(here),
          arrived: count(arrived),
          arrivedBytes: formatBytes(arrivedBytes),
          bytes: formatBytes(bytes),
        })}
        {covers > 0 && ` · ${format(texts.coversUploaded, { n: covers })}`}
        {sheets > 0 && ` · ${format(texts.sheetsUploaded, { n: sheets })}`}
      </p>
      {state === 'waiting' && <p role="status">{texts.connectionLostReconnecting}</p>}
      <p className={lists.note}>{texts.youCanLeaveThisPage}</p>
      {run.state === 'uploading' && state !== 'sent' && (
        <div className={css.actions}>
          <Button onClick={stopSending}>{texts.stopUpload}</Button>
        </div>
      )}
    </section>
  )
}
