import { uploads } from '@dubplate/contract'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { useMissedDrops } from '../ui/missedDrops.ts'
import { toast } from '../ui/toast.ts'
import css from './DropArea.module.css'
import { droppedFiles, type FileChoice, pickFiles } from './fileSystemAccess.ts'
import { sendFiles } from './sending.ts'

const ACCEPTED = ['audio/*', ...uploads.AUDIO_ENDINGS.map((ending) => `.${ending}`)].join()

const isOfFiles = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>) => dataTransfer.types.includes('Files')

/** Where files for a form are dropped or chosen. They go out at once, two at a time. */
export function DropArea({ form }: { form: string }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  useMissedDrops()
  const send = (choices: readonly FileChoice[]) => sendFiles(choices, form)
  const choose = async () => {
    try {
      const picked = await pickFiles('Audio files', uploads.AUDIO_ENDINGS)
      if (picked) send(picked)
      else field.current?.click()
    } catch {
      const message = 'They may have been moved or deleted. Choose them again.'
      void toast({ title: 'Couldn’t open the files', message, tone: 'trouble' })
    }
  }
  return (
    <section
      aria-label="Add files"
      aria-describedby={id}
      className={css.area}
      data-over={isOver || undefined}
      onDragOver={(event) => setOver(isOfFiles(event))}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={({ dataTransfer }) => {
        setOver(false)
        void droppedFiles(dataTransfer).then(send)
      }}
    >
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label="Choose audio files"
        onChange={({ currentTarget }) => {
          send([...(currentTarget.files ?? [])].map((file) => ({ file })))
          // The same file may be chosen again, to go on with it.
          currentTarget.value = ''
        }}
      />
      <IconUpload size={24} aria-hidden />
      <p>{isOver ? 'Drop to upload' : 'Drop all versions of one song here'}</p>
      <Button onClick={() => void choose()}>Choose files</Button>
      <small id={id}>MP3, WAV, FLAC or AIFF, up to 500 MB and 3 hours each.</small>
    </section>
  )
}
