import type { imports } from '@dubplate/contract'
import { Box, Group, Progress, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Note } from '../../admin/PageSection.tsx'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { count, formatBytes } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { Button } from '../../ui/Button.tsx'
import { FolderInput } from './FolderInput.tsx'
import { type ChosenFolder, findFolderProblem } from './folderFiles.ts'
import { type FolderUpload, stopFolderUpload, uploadFolder } from './folderUpload.ts'
import * as texts from './texts.ts'
import { useStoredFolder } from './useStoredFolder.ts'

type ProgressBarProps = { label: string; done: number; total: number; children: ReactNode }

/** A progress bar with the amounts in words below it. */
export const ProgressBar = ({ label, done, total, children }: ProgressBarProps) => (
  <Box maw={720}>
    <Progress color="var(--chart)" mb={6} value={(100 * done) / Math.max(total, 1)} aria-label={label} />
    <Text fz="sm" c="var(--text-2)" className="num">
      {children}
    </Text>
  </Box>
)

/** How far this tab is with its upload. */
export function UploadProgress({ upload }: { upload: FolderUpload }) {
  const { state, fileCount, bytes, existingCount, uploadedCount, failedCount, coverCount, sheetCount } = upload
  const amount = format(texts.ofFilesCheckedAlreadyIn, {
    checked: count(upload.hashedCount),
    files: fileCount,
    in_catalogue: count(existingCount),
    uploaded: count(uploadedCount),
    uploaded_bytes: formatBytes(upload.uploadedBytes),
    bytes: formatBytes(bytes),
  })
  return (
    <Stack component="section" aria-label={texts.upload} gap="sm">
      <ProgressBar label={texts.filesUploaded} done={existingCount + uploadedCount + failedCount} total={fileCount}>
        {amount}
        {coverCount > 0 && ` · ${format(texts.coversUploaded, { n: coverCount })}`}
        {sheetCount > 0 && ` · ${format(texts.sheetsUploaded, { n: sheetCount })}`}
      </ProgressBar>
      {state === 'offline' && <Text role="status">{texts.connectionLostReconnecting}</Text>}
      <Note>{texts.youCanLeaveThisPage}</Note>
      {state !== 'finished' && (
        <Group>
          <Button onClick={stopFolderUpload}>{texts.stopUpload}</Button>
        </Group>
      )}
    </Stack>
  )
}

/**
 * Continues an upload that this tab has not started; files that have arrived are not sent again. After a reload, some
 * browsers need the folder to be chosen again.
 */
export function ContinueUpload({ run }: { run: imports.ImportRun }) {
  const { import_run_id, files, files_uploaded } = run
  const stored = useStoredFolder(import_run_id)
  const [problem, setProblem] = useState('')
  if (stored.state === 'opening') return null
  const choose = (folder: ChosenFolder | undefined) => {
    const problem = folder ? findFolderProblem(folder) : ''
    setProblem(problem)
    if (folder && !problem) void uploadFolder(import_run_id, folder)
  }
  const needsPermission = stored.state === 'prompt'
  const status = needsPermission
    ? format(texts.yourBrowserNeedsYourPermission, { folder: run.folder })
    : files > 0
      ? format(texts.ofFilesUploadedChooseThe, { files_uploaded: count(files_uploaded), files })
      : texts.noFilesUploadedYetChoose
  return (
    <FolderInput title={texts.continueUpload} onChoose={choose}>
      <Text role="status">{status}</Text>
      {needsPermission && (
        <Group>
          <Button variant="primary" onClick={() => void stored.resume()}>
            {texts.resumeUpload}
          </Button>
        </Group>
      )}
      <Text role="status" hidden={!stored.problem && stored.state !== 'other-tab'}>
        {stored.problem || texts.thisFolderIsBeingSent}
      </Text>
      <FormMessages messages={problem ? [problem] : []} />
    </FolderInput>
  )
}
