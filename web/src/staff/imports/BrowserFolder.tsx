import { imports } from '@dubplate/contract'
import { createUploadImport } from '@dubplate/contract/schemas/imports'
import { Group, Stack } from '@mantine/core'
import { IconFolderUp } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { FormMessages } from '../../admin/ResourceForm.tsx'
import { useResourceForm } from '../../admin/useResourceForm.ts'
import { count, formatBytes } from '../../platform/format.ts'
import { formatList } from '../../platform/formatList.ts'
import { format, rich } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { usePreventStrayDrops } from '../../ui/usePreventStrayDrops.ts'
import { pickFolder } from '../../uploads/fileSystemAccess.ts'
import { type ChosenFolder, chosenIn, droppedIn, folderIn } from './folderFiles.ts'
import { sendFolder } from './folderUpload.ts'
import { ImportOptions, inputOf, NEW_IMPORT } from './ImportOptions.tsx'
import css from './Imports.module.css'
import * as texts from './texts.ts'

/** Uploads a folder of this computer, chosen or dropped; files that the pool already has are skipped. */
export function BrowserFolder() {
  const navigate = useNavigate()
  const [folder, setFolder] = useState<ChosenFolder>()
  const form = useResourceForm({
    call: createUploadImport,
    values: NEW_IMPORT,
    toInput: inputOf,
    onSaved: ({ import: run }) => {
      if (folder) void sendFolder(run.import_run_id, folder)
      void navigate({ to: '/staff/import', search: { run: run.import_run_id } })
    },
  })
  const problem = folder ? whyNot(folder) : ''
  const choose = (chosen: ChosenFolder | undefined) => {
    setFolder(chosen)
    form.setValues({ folder: chosen?.name ?? '' })
  }
  return (
    <FolderDrop label={texts.fromYourComputer} onChoose={choose}>
      <form ref={form.element} noValidate onSubmit={form.submit}>
        <Stack gap="md">
          {folder && (
            <p role="status">
              {rich(texts.folderContents, {
                name: folder.name,
                contents: contentsInWords(folder),
                b: (inside) => <b>{inside}</b>,
              })}
            </p>
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
    </FolderDrop>
  )
}

const contentsInWords = ({ files, covers, sheets, others }: ChosenFolder): string =>
  formatList([
    format(texts.audioFilesCount, { n: files.length }),
    formatBytes(files.reduce((sum, { file }) => sum + file.size, 0)),
    ...(covers.size > 0 ? [format(texts.coversCount, { n: covers.size })] : []),
    ...(sheets.length > 0 ? [format(texts.sheetsCount, { n: sheets.length })] : []),
    ...(others > 0 ? [format(texts.otherFilesSkipped, { others })] : []),
  ])

export function whyNot({ files }: ChosenFolder): string {
  if (files.length === 0) return texts.noMp3WavFlacOr
  const most = imports.MAX_IMPORT_FILES
  return files.length > most ? format(texts.anImportCanHaveUp, { most: count(most) }) : ''
}

type DropProps = {
  label: string
  onChoose: (folder: ChosenFolder | undefined) => void
  children: React.ReactNode
}

/** A drop area for a folder, with a button to choose one. */
export function FolderDrop({ label, onChoose, children }: DropProps) {
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  usePreventStrayDrops()
  const choose = async () => {
    try {
      const picked = await pickFolder()
      if (picked === 'unsupported') field.current?.click()
      else if (picked) onChoose(await folderIn(picked))
    } catch {
      const message = texts.itMayHaveBeenMoved
      void toast({ title: texts.couldntReadTheFolder, message, tone: 'error' })
    }
  }
  const drop = async ({ dataTransfer }: DragEvent) => {
    setOver(false)
    onChoose(await droppedIn(dataTransfer.items))
  }
  return (
    <section
      className={css.way}
      aria-label={label}
      data-over={isOver || undefined}
      onDragOver={({ dataTransfer }) => setOver(dataTransfer.types.includes('Files'))}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => void drop(event)}
    >
      <h2>{label}</h2>
      <p className={css.facts}>{texts.dropAFolderHereOr}</p>
      <input
        ref={field}
        type="file"
        hidden
        // Lets the input choose folders; React has no such prop.
        {...{ webkitdirectory: '' }}
        multiple
        aria-label={texts.folder}
        onChange={({ currentTarget }) => {
          onChoose(chosenIn(currentTarget.files ?? []))
          // Allows choosing the same folder again, to continue.
          currentTarget.value = ''
        }}
      />
      <div className={css.actions}>
        <Button onClick={() => void choose()}>
          <IconFolderUp size={16} aria-hidden />
          {texts.chooseFolder}
        </Button>
      </div>
      {children}
    </section>
  )
}
