import { type FormEvent, useState } from 'react'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../uploads/Field.tsx'
import dialogs from '../sales/PaymentForms.module.css'
import css from '../songs/SongUpkeep.module.css'
import { askGenresAnew, type Genre, mergeGenre } from './genres.ts'
import * as texts from './texts.ts'

type Props = { genre: Genre; genres: readonly Genre[]; onClose: () => void }

/** Merges a genre or mood into another one: songs, sub-genres, followers and address are moved to it. */
export function GenreMerge({ genre, genres, onClose }: Props) {
  const [intoId, setIntoId] = useState<number>()
  const [isBusy, setBusy] = useState(false)
  const [complaint, setComplaint] = useState('')
  const into = genres.find(({ genre_id }) => genre_id === intoId)
  const merge = async (event: FormEvent) => {
    event.preventDefault()
    if (!into) return setComplaint(texts.chooseAGenreToMerge)
    setBusy(true)
    setComplaint('')
    try {
      await mergeGenre(genre, into)
      onClose()
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : texts.couldntMergeTryAgain)
      setBusy(false)
      await askGenresAnew()
    }
  }
  const n = genre.songs + genre.kuts + genre.unpublished
  return (
    <Dialog title={format(texts.mergeGenreTitle, { name: genre.name })} onClose={onClose}>
      <form noValidate className={dialogs.form} onSubmit={(event) => void merge(event)}>
        {n > 0 && <p>{format(texts.songsUseThisGenreTo, { n })}</p>}
        <Field label={texts.mergeInto} path="into_genre_id">
          {(control) => (
            <select
              {...control}
              data-autofocus
              value={intoId ?? ''}
              onChange={({ target }) => setIntoId(target.value ? Number(target.value) : undefined)}
            >
              <option value="">{texts.choose}</option>
              {genres
                .filter(({ genre_id, parent_id }) => genre_id !== genre.genre_id && parent_id !== genre.genre_id)
                .map(({ genre_id, parent_id, name }) => (
                  <option key={genre_id} value={genre_id}>
                    {parent_id === null ? name : `\u00a0\u00a0${name}`}
                  </option>
                ))}
            </select>
          )}
        </Field>
        <p className={css.note}>
          {into
            ? format(texts.everythingMovesTo, { name: genre.name, into: into.name })
            : format(texts.everythingMovesToTheOther, { name: genre.name })}
        </p>
        <p role="alert" className={css.trouble} hidden={!complaint}>
          {complaint}
        </p>
        <div className={dialogs.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {texts.merge}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
