import { imports } from '@dubplate/contract'
import { startImport } from '@dubplate/contract/schemas/imports'
import { Button, Code, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowUp, IconFolder, type TablerIcon } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Note, PageSection } from '../../admin/PageSection.tsx'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { format, rich } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { ImportOptions, inputOf, NEW_IMPORT } from './ImportOptions.tsx'
import * as texts from './texts.ts'

/** Imports a folder of the server, typed or chosen from the allowed ones. */
export const ServerFolder = ({ folders }: { folders: readonly string[] | undefined }) => (
  <PageSection title={texts.fromAServerFolder}>
    {folders?.length === 0 ? <NotEnabled /> : <FolderForm folders={folders ?? []} />}
  </PageSection>
)

const NotEnabled = () => (
  <>
    <Note>{texts.noServerFoldersAreEnabled}</Note>
    <Code block>{texts.importFoldersSrvMusicMnt}</Code>
    <Note>{rich(texts.toImportAnyFolderOn, { code: (inside) => <Code>{inside}</Code> })}</Note>
  </>
)

function FolderForm({ folders }: { folders: readonly string[] }) {
  const navigate = useNavigate()
  const form = useResourceForm({
    call: startImport,
    draftName: 'import.server',
    values: NEW_IMPORT,
    toInput: inputOf,
    validate: ({ folder }) => (folder.trim() ? {} : { folder: texts.enterAFolder }),
    onSaved: ({ import: run }) => void navigate({ to: '/staff/import', search: { run: run.import_run_id } }),
  })
  return (
    <ResourceForm form={form} label={texts.fromAServerFolder} saveLabel={texts.scanFolder} canSaveUnchanged>
      <TextInput
        label={texts.folder}
        maxLength={1000}
        autoComplete="off"
        spellCheck={false}
        placeholder={folders[0] ?? ''}
        {...form.field('folder', texts.fullPathOnTheServer)}
      />
      <FolderList folders={folders} folder={form.values.folder} onChoose={(folder) => form.setValues({ folder })} />
      <ImportOptions form={form} />
    </ResourceForm>
  )
}

type ListProps = { folders: readonly string[]; folder: string; onChoose: (folder: string) => void }

/**
 * The contents of the typed folder; the allowed folders if none is typed. Folders that cannot be opened are reported
 * by the form.
 */
function FolderList({ folders, folder, onChoose }: ListProps) {
  const path = folder.trim()
  const { data } = useApiQuery(imports.getFolders, { folder: path }, { enabled: path !== '', keepPrevious: true })
  const current = path === '' ? undefined : data
  const shown = current?.folders ?? folders.map((name) => ({ name, folder: name }))
  if (shown.length === 0 && !current) return null
  return (
    <>
      <Stack
        component="ul"
        gap={2}
        m={0}
        p={0}
        mah={220}
        style={{ overflowY: 'auto' }}
        aria-label={current ? format(texts.foldersIn, { folder: current.folder }) : texts.availableFolders}
      >
        {current && (
          <FolderButton
            icon={IconArrowUp}
            name={current.above ? texts.up : texts.allFolders}
            onClick={() => onChoose(current.above ?? '')}
          />
        )}
        {shown.map(({ name, folder }) => (
          <FolderButton key={folder} icon={IconFolder} name={name} onClick={() => onChoose(folder)} />
        ))}
      </Stack>
      {current && (
        <Text role="status" fz="sm" c="dimmed">
          {format(texts.foldersAndAudioFilesIn, {
            count: current.folders.length,
            files: current.files,
            folder: current.folder,
          })}
        </Text>
      )}
    </>
  )
}

const FolderButton = ({ icon: Icon, name, onClick }: { icon: TablerIcon; name: string; onClick: () => void }) => (
  <li>
    <Button
      fullWidth
      justify="start"
      variant="subtle"
      color="gray"
      c="var(--text)"
      h={32}
      px="sm"
      fw={450}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={onClick}
    >
      {name}
    </Button>
  </li>
)
