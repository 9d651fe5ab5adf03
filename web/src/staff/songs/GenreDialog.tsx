import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from '../sales/PaymentForms.module.css'
import { cellKey, saveChoice, useCells } from './cellStates.ts'
import { GenreBoxes } from './GenreBoxes.tsx'
import type { Song } from './songDeeds.ts'
import * as texts from './texts.ts'

/** Chooses the genres and moods of a song. */
export function GenreDialog({ song, onClose }: { song: Song; onClose: () => void }) {
  const [chosen, setChosen] = useState(() => song.genres.map(({ genre_id }) => genre_id))
  const [isBusy, setBusy] = useState(false)
  const state = useCells(({ cells }) => cells[cellKey(song.entity_id, 'genres')])
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const isSaved = await saveChoice(song, 'genres', { genres: { how: 'set', genre_ids: chosen } })
    setBusy(false)
    if (isSaved) onClose()
  }
  return (
    <Dialog title={texts.genresAndMoods} onClose={onClose}>
      <form className={css.form} onSubmit={(event) => void save(event)}>
        <GenreBoxes legend={`${song.artist} – ${song.title}`} chosen={chosen} onChange={setChosen} />
        {state?.state === 'refused' && <p role="alert">{state.message}</p>}
        <p className={css.hint}>{texts.addingASubGenreAlso}</p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
