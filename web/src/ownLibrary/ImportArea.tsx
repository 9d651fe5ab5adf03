import { IconFileImport, IconFolder, IconLock } from '@tabler/icons-react'
import { type ChangeEvent, type DragEvent, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { usePreventStrayDrops } from '../ui/usePreventStrayDrops.ts'
import { filesOfDrop, filesOfInput } from './chosenFiles.ts'
import css from './DjLibrary.module.css'
import { FindFile } from './FindFile.tsx'
import { readChosen } from './libraryImport.ts'
import * as texts from './texts.ts'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Accepts the library of a DJ program, or a folder of music, dropped or chosen. */
export function ImportArea() {
  const id = useId()
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const [isDragOver, setDragOver] = useState(false)
  usePreventStrayDrops()
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = filesOfInput(currentTarget.files)
    // Allows the same file to be chosen again.
    currentTarget.value = ''
    if (files.length > 0) void readChosen(() => files)
  }
  return (
    <section
      className={css.drop}
      aria-label={texts.addALibrary}
      aria-describedby={id}
      data-over={isDragOver || undefined}
      onDragOver={(event) => setDragOver(hasFiles(event))}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setDragOver(false)
      }}
      onDrop={({ dataTransfer }) => {
        setDragOver(false)
        const files = filesOfDrop(dataTransfer)
        void readChosen(() => files)
      }}
    >
      <input ref={fileInput} type="file" hidden aria-label={texts.chooseLibraryFile} onChange={choose} />
      <input
        ref={folderInput}
        type="file"
        hidden
        aria-label={texts.chooseFolder}
        onChange={choose}
        {...{ webkitdirectory: '' }}
      />
      <IconFileImport size={24} aria-hidden />
      <b>{isDragOver ? texts.dropToRead : texts.dropYourLibrary}</b>
      <p>{texts.libraryFormats}</p>
      <div className={css.buttons}>
        <Button variant="primary" onClick={() => fileInput.current?.click()}>
          {texts.chooseLibraryFile}
        </Button>
        <Button onClick={() => folderInput.current?.click()}>
          <IconFolder size={16} aria-hidden />
          {texts.chooseFolder}
        </Button>
      </div>
      <p id={id} className={css.privacy}>
        <IconLock size={16} aria-hidden />
        <span>{texts.privacy}</span>
      </p>
      <FindFile />
    </section>
  )
}
