import { createUploadImport } from '@dubplate/contract/schemas/imports'
import { Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { formatBytes } from '../../format/format.ts'
import { formatList } from '../../format/formatList.ts'
import { format, rich } from '../../format/message.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { FolderInput } from './FolderInput.tsx'
import { type ChosenFolder, findFolderProblem } from './folderFiles.ts'
import { uploadFolder } from './folderUpload.ts'
import { ImportOptions, inputOf, NEW_IMPORT } from './ImportOptions.tsx'
import * as texts from './texts.ts'

/** Uploads a folder of this computer; files that the pool already has are skipped. */
export function BrowserFolder() {
  const navigate = useNavigate()
  const [folder, setFolder] = useState<ChosenFolder>()
  const form = useResourceForm({
    call: createUploadImport,
    values: NEW_IMPORT,
    toInput: inputOf,
    onSaved: ({ import: { import_run_id: run } }) => {
      if (folder) void uploadFolder(run, folder)
      void navigate({ to: '/staff/import', search: { run } })
    },
  })
  const { element } = form
  const problem = folder ? findFolderProblem(folder) : ''
  const choose = (chosen: ChosenFolder | undefined) => {
    setFolder(chosen)
    form.setValues({ folder: chosen?.name ?? '' })
  }
  return (
    <FolderInput title={texts.fromYourComputer} onChoose={choose}>
      <form ref={element} noValidate onSubmit={form.submit}>
        <Stack gap="md">
          {folder && (
            <Text role="status" style={{ overflowWrap: 'anywhere' }}>
              {rich(texts.folderContents, {
                name: folder.name,
                contents: contentsText(folder),
                b: (inside) => <b>{inside}</b>,
              })}
            </Text>
          )}
          <ImportOptions form={form} />
          <FormMessages messages={problem ? [problem] : form.messages} />
          {folder && !problem && (
            <Group>
              <Button type="submit" variant="primary" busy={form.isBusy}>
                {texts.uploadAndScan}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </FolderInput>
  )
}

const contentsText = ({ files, covers, sheets, otherCount }: ChosenFolder): string =>
  formatList([
    format(texts.audioFilesCount, { n: files.length }),
    formatBytes(files.reduce((sum, { file }) => sum + file.size, 0)),
    ...(covers.size > 0 ? [format(texts.coversCount, { n: covers.size })] : []),
    ...(sheets.length > 0 ? [format(texts.sheetsCount, { n: sheets.length })] : []),
    ...(otherCount > 0 ? [format(texts.otherFilesSkipped, { others: otherCount })] : []),
  ])
