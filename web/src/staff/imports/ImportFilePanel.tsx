import { imports } from '@dubplate/contract'
import { correctFile } from '@dubplate/contract/schemas/imports'
import { DataList, SimpleGrid, Stack, TextInput, Title } from '@mantine/core'
import { Fact } from '../../admin/PageSection.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { formatBytes } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { FileResult } from './ImportFiles.tsx'
import * as texts from './texts.ts'

const NO_DETAILS: imports.FileDetails = { artist: '', title: '', version_label: '', genre: '' }

const CHANGED_CALLS = [imports.getImport, imports.getImportFiles]

type Props = { importId: number; file: imports.ImportFile; onClose: () => void }

/** One file of an import, with the form for what staff can change before it is imported. */
export const ImportFilePanel = ({ importId, file, onClose }: Props) => (
  <Stack gap="lg" style={{ overflowWrap: 'anywhere' }}>
    <Title order={2}>{file.path}</Title>
    <DataList labelWidth="92px" gap={10}>
      <Fact label={texts.result}>
        <FileResult file={file} />
      </Fact>
      {file.note && <Fact label={texts.note}>{file.note}</Fact>}
      <Fact label={texts.size}>{formatBytes(file.bytes)}</Fact>
    </DataList>
    {file.can_edit && <FileForm importId={importId} file={file} onClose={onClose} />}
  </Stack>
)

function FileForm({ importId, file, onClose }: Props) {
  const { n, path, found, correction, is_excluded } = file
  const input = { import_run_id: importId, n }
  const form = useResourceForm({
    call: correctFile,
    draftName: `import.${importId}.${n}`,
    values: { ...(found ?? NO_DETAILS), ...correction },
    toInput: (values) => ({ ...input, ...values, is_excluded: false }),
    validate: ({ artist, title }) => ({
      ...(!artist.trim() && { artist: texts.enterAnArtistAndA }),
      ...(!title.trim() && { title: texts.enterAnArtistAndA }),
    }),
    invalidates: CHANGED_CALLS,
    onSaved: onClose,
  })
  const { mutate, isPending } = useApiMutation(imports.correctFile, {
    errorTitle: texts.couldntSaveYourChangesTry,
    invalidates: CHANGED_CALLS,
  })
  const change = (changes: { is_excluded: boolean } | { reset: true }) =>
    mutate({ ...input, ...changes }, { onSuccess: onClose })
  const { field } = form
  return (
    <ResourceForm
      form={form}
      label={format(texts.editFileLabel, { path })}
      saveLabel={is_excluded ? texts.saveAndInclude : texts.save}
      onClose={onClose}
      actions={
        <>
          <Button busy={isPending} onClick={() => change({ is_excluded: !is_excluded })}>
            {is_excluded ? texts.includeFile : texts.leaveOut}
          </Button>
          {correction && (
            <Button busy={isPending} onClick={() => change({ reset: true })}>
              {texts.undoChanges}
            </Button>
          )}
        </>
      }
    >
      <SimpleGrid cols={2}>
        <TextInput label={texts.artist} maxLength={300} data-autofocus autoComplete="off" {...field('artist')} />
        <TextInput label={texts.title} maxLength={300} autoComplete="off" {...field('title')} />
        <TextInput label={texts.version} maxLength={60} autoComplete="off" {...field('version_label')} />
        <TextInput
          label={texts.genre}
          maxLength={200}
          autoComplete="off"
          {...field('genre', texts.separateSeveralWithCommas)}
        />
      </SimpleGrid>
    </ResourceForm>
  )
}
