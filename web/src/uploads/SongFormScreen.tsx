import { Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { format } from '../format/message.ts'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { Button } from '../ui/Button.tsx'
import { DropArea } from './DropArea.tsx'
import { isBeingAnalysed, useContainer, useFiles } from './files.ts'
import { pausePreview } from './preview.ts'
import { SendingList } from './SendingList.tsx'
import { SongFields } from './SongFields.tsx'
import { useSending } from './sendings.ts'
import type { SongForm } from './songForm.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'
import { type SongFormProps, useSongForm } from './useSongForm.ts'
import { useUploadWatch } from './useUploadWatch.ts'
import { VersionSlots } from './VersionSlots.tsx'

/** The form for a song from the member's own files, new or existing. */
export function SongFormScreen(props: SongFormProps) {
  const state = useSongForm(props)
  const { element, values, messages, isBusy } = state
  useContainer()
  useEffect(() => pausePreview, [])
  useUploadWatch(useIsAnalysing(values))
  return (
    <form ref={element} noValidate className={css.form} aria-label={texts.song} onSubmit={state.submit}>
      <Stack component="section" gap="md" aria-labelledby="versions-title">
        <Text component="h2" fz={20} fw={680} id="versions-title">
          {texts.versions}
        </Text>
        <DropArea form={state.name} />
        <SendingList onUse={state.expect} />
        <VersionSlots state={state} kinds={props.kinds} />
      </Stack>
      <Stack component="section" gap="md" aria-labelledby="song-title">
        <Text component="h2" fz={20} fw={680} id="song-title">
          {texts.song}
        </Text>
        <SongFields state={state} />
        <ErrorMessages messages={messages}>
          {state.mergeWithCurrent && <Button onClick={state.mergeWithCurrent}>{texts.loadLatestAndKeepMy}</Button>}
        </ErrorMessages>
        <UploadsPendingNotice />
        <div>
          <Button type="submit" variant="primary" busy={isBusy} style={{ minWidth: 132 }}>
            {isBusy ? texts.processing : texts.save}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

/** Whether a file of this form, or one that will be added to it, is being analysed. */
function useIsAnalysing({ slots, coming: expectedUploadIds }: SongForm): boolean {
  const known = useFiles(({ files }) => files)
  const ids = slots.flatMap(({ song }) => (song === undefined ? [] : [song]))
  return expectedUploadIds.length > 0 || ids.some((id) => known[id] !== undefined && isBeingAnalysed(known[id]))
}

/** Warns that saving now does not include files that are still uploading. */
function UploadsPendingNotice() {
  const count = useSending(({ list }) => list.filter(({ state }) => !['refused', 'left'].includes(state)).length)
  if (count === 0) return null
  return (
    <Text size="sm" c="var(--text-2)">
      {format(texts.filesStillUploadingYouCan, { count })}
    </Text>
  )
}
