import { imports } from '@dubplate/contract'
import { IconArrowUp, IconFolder } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../uploads/Field.tsx'
import { Complaint } from '../forms/Complaint.tsx'
import { fieldErrorsOf, sentencesOf } from '../forms/refused.ts'
import { useKept } from '../forms/useKept.ts'
import css from './Imports.module.css'
import { ImportWishes, NO_WISHES } from './ImportWishes.tsx'
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
  const { typed, write, drop } = useKept('import.server', { folder: '', wishes: NO_WISHES })
  const [isBusy, setBusy] = useState(false)
  const [complaint, setComplaint] = useState('')
  const [wrong, setWrong] = useState<Record<string, string>>({})
  const start = async (event: FormEvent) => {
    event.preventDefault()
    setComplaint('')
    setWrong({})
    if (!typed.folder.trim()) return setWrong({ folder: texts.enterAFolder })
    setBusy(true)
    try {
      const { import: run } = await callApi(imports.startImport, { folder: typed.folder, ...typed.wishes })
      drop()
      await navigate({ to: '/staff/import', search: { run: run.import_run_id } })
    } catch (error) {
      const fields = fieldErrorsOf(error)
      setWrong(fields)
      if (!fields.folder && !fields.pattern) setComplaint(sentencesOf(error))
      setBusy(false)
    }
  }
  return (
    <form noValidate className={css.way} style={{ padding: 0, border: 0 }} onSubmit={(event) => void start(event)}>
      <Field label={texts.folder} path="folder" fieldError={wrong.folder} note={texts.fullPathOnTheServer}>
        {(control) => (
          <input
            {...control}
            maxLength={1000}
            autoComplete="off"
            spellCheck={false}
            placeholder={folders[0] ?? ''}
            value={typed.folder}
            onChange={({ target }) => write({ folder: target.value })}
          />
        )}
      </Field>
      <Browse folders={folders} folder={typed.folder} onChoose={(folder) => write({ folder })} />
      <ImportWishes wishes={typed.wishes} wrong={wrong} onChange={(wishes) => write({ wishes })} />
      <Complaint of={complaint} />
      <div className={css.actions}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {texts.scanFolder}
        </Button>
      </div>
    </form>
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
