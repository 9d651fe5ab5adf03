import { uploads } from '@dubplate/contract'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { useMissedDrops } from '../ui/missedDrops.ts'
import css from './DropArea.module.css'
import { sendFiles } from './sending.ts'

const ACCEPTED = ['audio/*', ...uploads.AUDIO_ENDINGS.map((ending) => `.${ending}`)].join()

const isOfFiles = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>) => dataTransfer.types.includes('Files')

/** Where files are dropped or chosen. They go out at once, two at a time; hears the ids of what is sent. */
export function DropArea({ onSent }: { onSent: (sendingIds: string[]) => void }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  useMissedDrops()
  const send = (files: FileList | null) => onSent(sendFiles([...(files ?? [])]))
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
        send(dataTransfer.files)
      }}
    >
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label="Audio files"
        onChange={({ currentTarget }) => {
          send(currentTarget.files)
          // The same file may be chosen again, to go on with it.
          currentTarget.value = ''
        }}
      />
      <IconUpload size={24} aria-hidden />
      <p>{isOver ? 'Let go to send them' : 'Drop the versions of one song here'}</p>
      <Button onClick={() => field.current?.click()}>Choose files</Button>
      <small id={id}>
        MP3, WAV, FLAC or AIFF, up to 500 MB and 3 hours each. Two are sent at a time, the others wait in line.
      </small>
    </section>
  )
}
