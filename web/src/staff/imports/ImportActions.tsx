import { imports } from '@dubplate/contract'
import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { DownloadButton } from '../../admin/DownloadButton.tsx'
import { format } from '../../platform/message.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import { releaseFolder } from './folderHandles.ts'
import { isInProgress } from './importStatus.ts'
import * as texts from './texts.ts'

type Props = { run: imports.ImportRun; isUploading: boolean }

/** What can be done with an import in its state. */
export function ImportActions({ run, isUploading }: Props) {
  const [isDeleting, setDeleting] = useState(false)
  const { import_run_id, phase, state, versions_added, files_uploaded, files } = run
  const input = { import_run_id }
  const isScan = phase === 'plan'
  const isScanned = isScan && state === 'done'
  const isInterrupted = state === 'stopped' || state === 'failed'
  return (
    <Group gap="sm">
      {isInProgress(run) && (
        <ActionButton call={imports.stopImport} input={input}>
          {texts.stop}
        </ActionButton>
      )}
      {isScanned && versions_added > 0 && (
        <ActionButton call={imports.doImport} input={input} isMain>
          {format(texts.importFiles, { versions_added })}
        </ActionButton>
      )}
      {isInterrupted && !isScan && (
        <ActionButton call={imports.doImport} input={input} isMain>
          {texts.continueImport}
        </ActionButton>
      )}
      {isScan && (isScanned || isInterrupted) && (
        <ActionButton call={imports.planImport} input={input}>
          {texts.rescan}
        </ActionButton>
      )}
      {state === 'uploading' && !isUploading && files_uploaded > 0 && (
        <ActionButton call={imports.planImport} input={input}>
          {texts.scanUploadedFiles}
        </ActionButton>
      )}
      {files > 0 && state !== 'uploading' && (
        <DownloadButton
          call={imports.getImportReport}
          input={input}
          errorTitle={texts.couldntDownloadTheReport}
          label={texts.downloadReportCsv}
        />
      )}
      {!isInProgress(run) && !isUploading && (
        <Button variant="default" onClick={() => setDeleting(true)}>
          {texts.deleteMenuItem}
        </Button>
      )}
      {isDeleting && <DeleteDialog input={input} onClose={() => setDeleting(false)} />}
    </Group>
  )
}

type Input = { import_run_id: number }

type ActionButtonProps = {
  call: typeof imports.planImport | typeof imports.doImport | typeof imports.stopImport
  input: Input
  isMain?: boolean
  children: ReactNode
}

function ActionButton({ call, input, isMain, children }: ActionButtonProps) {
  const { mutate, isPending } = useApiMutation(call, {
    errorTitle: texts.couldntUpdateTheImport,
    invalidates: [imports.getImport, imports.getImportFiles],
  })
  // The server refuses it if someone else has changed the state of the import.
  const onError = () => void refreshReplies([imports.getImport])
  return (
    <Button variant={isMain ? 'filled' : 'default'} loading={isPending} onClick={() => mutate(input, { onError })}>
      {children}
    </Button>
  )
}

function DeleteDialog({ input, onClose }: { input: Input; onClose: () => void }) {
  const navigate = useNavigate()
  const { mutateAsync } = useApiMutation(imports.removeImport, { invalidates: [imports.getImports] })
  return (
    <ConfirmDialog
      title={texts.deleteImport}
      what={texts.theReportAndAnyUploaded}
      confirmLabel={texts.deleteButton}
      isDanger
      onConfirm={async () => {
        await mutateAsync(input)
        await releaseFolder(input.import_run_id)
        await navigate({ to: '/staff/import' })
      }}
      onClose={onClose}
    />
  )
}
