import { imports } from '@dubplate/contract'
import { Button, Group } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DownloadButton } from '../../admin/DownloadButton.tsx'
import { format } from '../../format/message.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { releaseFolder } from './folderHandles.ts'
import { isInProgress } from './importStatus.ts'
import * as texts from './texts.ts'

type Input = { import_run_id: number }

type Action = {
  label: string
  call: typeof imports.planImport | typeof imports.doImport | typeof imports.stopImport
  isAvailable: boolean
  isMain?: boolean
}

type Props = { run: imports.ImportRun; isUploading: boolean }

/** What can be done with an import in its state. */
export function ImportActions({ run, isUploading }: Props) {
  const [isDeleting, setDeleting] = useState(false)
  const { import_run_id, phase, state, versions_added, files_uploaded, files } = run
  const input = { import_run_id }
  const isScan = phase === 'plan'
  const isScanned = isScan && state === 'done'
  const isInterrupted = state === 'stopped' || state === 'failed'
  const { planImport, doImport, stopImport } = imports
  const importFiles = format(texts.importFiles, { versions_added })
  const canScanUploaded = state === 'uploading' && !isUploading && files_uploaded > 0
  const actions: Action[] = [
    { label: texts.stop, call: stopImport, isAvailable: isInProgress(run) },
    { label: importFiles, call: doImport, isAvailable: isScanned && versions_added > 0, isMain: true },
    { label: texts.continueImport, call: doImport, isAvailable: isInterrupted && !isScan, isMain: true },
    { label: texts.rescan, call: planImport, isAvailable: isScanned || (isScan && isInterrupted) },
    { label: texts.scanUploadedFiles, call: planImport, isAvailable: canScanUploaded },
  ]
  return (
    <Group gap="sm">
      {actions.map((action) => action.isAvailable && <ActionButton key={action.label} action={action} input={input} />)}
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

function ActionButton({ action: { label, call, isMain }, input }: { action: Action; input: Input }) {
  const { mutate, isPending } = useApiMutation(call, {
    errorTitle: texts.couldntUpdateTheImport,
    invalidates: [imports.getImport, imports.getImportFiles],
  })
  // The server refuses it if someone else has changed the state of the import.
  const onError = () => void refreshReplies([imports.getImport])
  return (
    <Button variant={isMain ? 'filled' : 'default'} loading={isPending} onClick={() => mutate(input, { onError })}>
      {label}
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
