import { Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useAction } from '../../ui/useAction.ts'
import { cellKey, saveChoice, useCells } from './cellStates.ts'
import { GenreBoxes } from './GenreBoxes.tsx'
import type { Song } from './songActions.ts'
import * as texts from './texts.ts'

/** Chooses the genres and moods of a song. */
export function GenreDialog({ song, onClose }: { song: Song; onClose: () => void }) {
  const [chosen, setChosen] = useState(() => song.genres.map(({ genre_id }) => genre_id))
  const state = useCells(({ cells }) => cells[cellKey(song.entity_id, 'genres')])
  const [save, isBusy] = useAction(async () => {
    if (await saveChoice(song, 'genres', { genres: { how: 'set', genre_ids: chosen } })) onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <Dialog title={texts.genresAndMoods} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          <GenreBoxes legend={`${song.artist} – ${song.title}`} chosen={chosen} onChange={setChosen} />
          {state?.state === 'refused' && (
            <Text role="alert" c="var(--danger)">
              {state.message}
            </Text>
          )}
          <Text fz="sm" c="var(--text-2)">
            {texts.addingASubGenreAlso}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button type="submit" variant="primary" busy={isBusy}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
