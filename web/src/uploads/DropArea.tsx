import { uploads } from '@dubplate/contract'
import { Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { usePreventStrayDrops } from '../ui/usePreventStrayDrops.ts'
import { type FileChoice, pickFiles, readDroppedFiles } from './fileSystemAccess.ts'
import { sendFiles } from './sending.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

const ACCEPTED_TYPES = ['audio/*', ...uploads.AUDIO_ENDINGS.map((extension) => `.${extension}`)].join()

const hasFiles = ({ dataTransfer }: Pick<DragEvent, 'dataTransfer'>) => dataTransfer.types.includes('Files')

/** Accepts files for a form, dropped or chosen. They are uploaded at once, two at a time. */
export function DropArea({ form }: { form: string }) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isDragOver, setDragOver] = useState(false)
  usePreventStrayDrops()
  const send = (choices: readonly FileChoice[]) => sendFiles(choices, form)
  const choose = async () => {
    try {
      const picked = await pickFiles(texts.audioFiles, uploads.AUDIO_ENDINGS)
      if (picked) send(picked)
      else field.current?.click()
    } catch {
      const message = texts.theyMayHaveBeenMoved
      void toast({ title: texts.couldntOpenTheFiles, message, tone: 'error' })
    }
  }
  return (
    <Stack
      component="section"
      align="center"
      gap="sm"
      px="lg"
      py={20}
      aria-label={texts.addFiles}
      aria-describedby={id}
      className={css.dropArea}
      data-over={isDragOver || undefined}
      onDragOver={(event) => setDragOver(hasFiles(event))}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setDragOver(false)
      }}
      onDrop={({ dataTransfer }) => {
        setDragOver(false)
        void readDroppedFiles(dataTransfer).then(send)
      }}
    >
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_TYPES}
        aria-label={texts.chooseAudioFiles}
        onChange={({ currentTarget }) => {
          send([...(currentTarget.files ?? [])].map((file) => ({ file })))
          // Allows the same file to be chosen again, to resume it.
          currentTarget.value = ''
        }}
      />
      <IconUpload size={24} aria-hidden />
      <Text fw={580} c="var(--text)">
        {isDragOver ? texts.dropToUpload : texts.dropAllVersionsOfOne}
      </Text>
      <Button onClick={() => void choose()}>{texts.chooseFiles}</Button>
      <Text component="small" fz="xs" id={id}>
        {texts.mp3WavFlacOrAiff}
      </Text>
    </Stack>
  )
}
