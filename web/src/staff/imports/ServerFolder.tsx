import { imports } from '@dubplate/contract'
import { startImport } from '@dubplate/contract/schemas/imports'
import { TextInput } from '@mantine/core'
import { IconArrowUp, IconFolder } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { ResourceForm } from '../../admin/ResourceForm.tsx'
import { useResourceForm } from '../../admin/useResourceForm.ts'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { ImportOptions, inputOf, NEW_IMPORT } from './ImportOptions.tsx'
import css from './Imports.module.css'
import * as texts from './texts.ts'

/** Imports a folder of the server, typed or chosen from the allowed ones. */
export function ServerFolder({ folders }: { folders: readonly string[] | undefined }) {
  return (
    <section className={css.way} aria-labelledby="server-folder">
      <h2 id="server-folder">{texts.fromAServerFolder}</h2>
      {folders?.length === 0 ? <NoneAllowed /> : <Choose folders={folders ?? []} />}
    </section>
  )
}

const NoneAllowed = () => (
  <>
    <p className={css.facts}>{texts.noServerFoldersAreEnabled}</p>
    <p className={css.code}>{texts.importFoldersSrvMusicMnt}</p>
    <p className={css.facts}>{rich(texts.toImportAnyFolderOn, { code: (inside) => <code>{inside}</code> })}</p>
  </>
)

function Choose({ folders }: { folders: readonly string[] }) {
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
      <Browse folders={folders} folder={form.values.folder} onChoose={(folder) => form.setValues({ folder })} />
      <ImportOptions form={form} />
    </ResourceForm>
  )
}

type BrowseProps = { folders: readonly string[]; folder: string; onChoose: (folder: string) => void }

/**
 * The contents of the typed folder; the allowed folders when none is typed. Folders that cannot be opened are reported
 * by the form.
 */
function Browse({ folders, folder, onChoose }: BrowseProps) {
  const { data } = useApiQuery(
    imports.getFolders,
    { folder: folder.trim() },
    { enabled: folder.trim() !== '', keepPrevious: true },
  )
  const isHere = folder.trim() !== '' && data !== undefined
  const shown = isHere ? data.folders : folders.map((name) => ({ name, folder: name }))
  if (shown.length === 0 && !isHere) return null
  return (
    <>
      <ul
        className={css.browse}
        aria-label={isHere ? format(texts.foldersIn, { folder: data.folder }) : texts.availableFolders}
      >
        {isHere && (
          <li>
            <button type="button" onClick={() => onChoose(data.above ?? '')}>
              <IconArrowUp size={16} aria-hidden />
              {data.above ? texts.up : texts.allFolders}
            </button>
          </li>
        )}
        {shown.map(({ name, folder }) => (
          <li key={folder}>
            <button type="button" onClick={() => onChoose(folder)}>
              <IconFolder size={16} aria-hidden />
              {name}
            </button>
          </li>
        ))}
      </ul>
      {isHere && (
        <p className={css.facts} role="status">
          {format(texts.foldersAndAudioFilesIn, { count: data.folders.length, files: data.files, folder: data.folder })}
        </p>
      )}
    </>
  )
}
