import { imports } from '@dubplate/contract'
import { correctFile } from '@dubplate/contract/schemas/imports'
import { Box, SimpleGrid, TextInput } from '@mantine/core'
import { getFormDraft } from '../../admin/formDrafts.ts'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { useResourceForm } from '../../admin/useResourceForm.ts'
import { format } from '../../platform/message.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { showChangedRun } from './imports.ts'
import * as texts from './texts.ts'

const draftName = (runId: number, n: number) => `import.${runId}.${n}`

/** Whether there are unsaved changes for this file. */
export const isEditing = (runId: number, n: number): boolean => getFormDraft(draftName(runId, n)) !== undefined

const NOTHING: imports.FileDetails = { artist: '', title: '', version_label: '', genre: '' }

type Props = { runId: number; file: imports.ImportFile; onClose: () => void }

/** What staff can change of a file before it is imported. */
export function ImportFileForm({ runId, file, onClose }: Props) {
  const { n, found, correction, is_excluded } = file
  const input = { import_run_id: runId, n }
  const form = useResourceForm({
    call: correctFile,
    draftName: draftName(runId, n),
    values: { ...(found ?? NOTHING), ...correction },
    toInput: (values) => ({ ...input, ...values, is_excluded: false }),
    validate: ({ artist, title }) => ({
      ...(!artist.trim() && { artist: texts.enterAnArtistAndA }),
      ...(!title.trim() && { title: texts.enterAnArtistAndA }),
    }),
    onSaved: (reply) => {
      void showChangedRun(reply)
      onClose()
    },
  })
  const { mutate, isPending } = useApiMutation(imports.correctFile, { errorTitle: texts.couldntSaveYourChangesTry })
  const change = (changes: { is_excluded: boolean } | { reset: true }) =>
    mutate({ ...input, ...changes }, { onSuccess: (reply) => void showChangedRun(reply).then(onClose) })
  const { field } = form
  return (
    <Box py="md" style={{ gridColumn: '1 / -1' }}>
      <ResourceForm
        form={form}
        label={format(texts.editFileLabel, { path: file.path })}
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
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
    </Box>
  )
}
