import { imports } from '@dubplate/contract'
import { Alert, Box, Code, NativeSelect, Skeleton, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { AgoCell, Status } from '../../admin/cells.tsx'
import { TablePage } from '../../admin/TablePage.tsx'
import { format, rich } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { sectionName } from '../uploads/uploadStates.ts'
import { type FolderUpload, useFolderUpload } from './folderUpload.ts'
import { ImportActions } from './ImportActions.tsx'
import { ImportFiles } from './ImportFiles.tsx'
import { FailedUploads, SheetReports } from './ImportProblems.tsx'
import { ContinueUpload, ProgressBar, UploadProgress } from './ImportUpload.tsx'
import { isInProgress, progressText, type Sample, statusOf, summaryOf, withSample } from './importStatus.ts'
import { ENCODING_CHOICES } from './tagEncodings.ts'
import * as texts from './texts.ts'

type Run = imports.ImportRun

const REFETCH_MS = 1000

/** One import: its progress, its actions, and the result of each file. */
export function ImportPage({ importId }: { importId: number }) {
  const [isBusy, setBusy] = useState(true)
  const query = useApiQuery(imports.getImport, { import_run_id: importId }, isBusy ? { refetchMs: REFETCH_MS } : {})
  const run = query.data?.import
  const upload = useFolderUpload(({ current }) => (current?.import_run_id === importId ? current : undefined))
  const isNowBusy = !run || isInProgress(run) || upload?.state === 'uploading'
  if (isNowBusy !== isBusy) setBusy(isNowBusy)
  useFileRefresh(run)
  if (run)
    return (
      <ImportFiles
        run={run}
        actions={<ImportActions run={run} isUploading={upload?.state === 'uploading' || upload?.state === 'offline'} />}
        top={<Summary run={run} upload={upload} />}
      />
    )
  return (
    <TablePage>
      <Box px={{ base: 'lg', sm: 'xl' }}>
        {query.error ? (
          <ErrorState error={query.error} subject={texts.thisImport} retry={() => void query.refetch()} />
        ) : (
          <Skeleton height={180} radius="lg" aria-busy role="status" aria-label={texts.loadingImport} />
        )}
      </Box>
    </TablePage>
  )
}

/** Reloads the visible files each time several more of them are done. */
function useFileRefresh(run: Run | undefined) {
  const previous = useRef('')
  const doneStep = run && (isInProgress(run) ? Math.floor(run.files_done / 20) : run.files_done)
  const current = run ? `${run.state} ${run.phase} ${doneStep}` : ''
  useEffect(() => {
    if (current && previous.current && previous.current !== current) void refreshReplies([imports.getImportFiles])
    previous.current = current
  }, [current])
}

/** The state of an import, its options, and everything that went wrong. */
function Summary({ run, upload }: { run: Run; upload: FolderUpload | undefined }) {
  const { state, error_message, ended_at, files } = run
  const { text, tone } = statusOf(run)
  const isEnded = !isInProgress(run) && state !== 'uploading'
  const summary = files > 0 ? summaryOf(run) : error_message ? '' : texts.noAudioFilesFound
  return (
    <Stack component="section" aria-label={texts.summary} gap="sm" px={{ base: 'lg', sm: 'xl' }} py="sm">
      <Text role="status">
        <Status tone={tone}>
          <b>{text}</b>
        </Status>
        {isEnded && summary && ` · ${summary}`}
        {isEnded && ended_at && (
          <>
            {' · '}
            <AgoCell at={ended_at} />
          </>
        )}
      </Text>
      <Options run={run} />
      {canRescan(run) && <TagEncoding run={run} />}
      {error_message && (
        <Alert role="alert" color="var(--danger)">
          {error_message}
        </Alert>
      )}
      {isInProgress(run) && <ServerProgress run={run} />}
      {state === 'uploading' &&
        (upload && upload.state !== 'stopped' ? <UploadProgress upload={upload} /> : <ContinueUpload run={run} />)}
      {upload && <FailedUploads failures={upload.failures} />}
      <SheetReports sheets={run.sheets} />
    </Stack>
  )
}

const Options = ({ run: { source, song_section_id, genre, pattern, started_by, created_at } }: { run: Run }) => (
  <Text fz="sm" c="var(--text-2)" style={{ overflowWrap: 'anywhere' }}>
    {source === 'browser' ? texts.uploadedFromBrowser : texts.serverFolder} · {sectionName(song_section_id)}
    {genre && ` · ${format(texts.defaultGenreOfImport, { genre })}`}
    {pattern && <> · {rich(texts.pathsReadAs, { pattern, code: (inside) => <Code>{inside}</Code> })}</>}
    {started_by && ` · ${format(texts.startedBy, { dj_name: started_by.dj_name })}`} · <AgoCell at={created_at} />
  </Text>
)

/** Whether the preview can be made again with other options. */
const canRescan = ({ phase, state }: Run) => phase === 'plan' && !['uploading', 'waiting', 'running'].includes(state)

/** How the tags are read. Another choice updates the preview. */
function TagEncoding({ run: { import_run_id, tag_encoding } }: { run: Run }) {
  const { mutate, isPending } = useApiMutation(imports.planImport, {
    errorTitle: texts.couldntUpdateTheImport,
    invalidates: [imports.getImport, imports.getImportFiles],
  })
  return (
    <NativeSelect
      label={texts.tagEncoding}
      description={texts.tagEncodingRescan}
      maw={320}
      data={ENCODING_CHOICES}
      value={tag_encoding}
      disabled={isPending}
      onChange={({ currentTarget }) =>
        mutate({ import_run_id, tag_encoding: currentTarget.value as imports.TagEncoding })
      }
    />
  )
}

/** How far the server is with its scan or import. */
function ServerProgress({ run }: { run: Run }) {
  const [samples, setSamples] = useState<Sample[]>([])
  // eslint-disable-next-line react-hooks/set-state-in-effect -- a reply of the server has arrived
  useEffect(() => setSamples((samples) => withSample(samples, { at: Date.now(), run })), [run])
  return (
    <ProgressBar
      label={run.phase === 'plan' ? texts.scanProgress : texts.importProgress}
      done={run.bytes_done}
      total={run.bytes}
    >
      {progressText(run, samples)}
    </ProgressBar>
  )
}
