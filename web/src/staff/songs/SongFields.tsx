import { staffSongs } from '@dubplate/contract'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { format } from '../../platform/message.ts'
import { usePreferences } from '../../platform/preferences.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { SourceMark } from '../../uploads/Field.tsx'
import { SECTION_CHOICES, sectionName } from '../uploads/uploadStates.ts'
import { cellKey, dropCell, saveCell, saveChoice, saveField } from './cellStates.ts'
import { StateMark, useCell } from './SongCell.tsx'
import css from './SongDesk.module.css'
import type { Song } from './songDeeds.ts'
import { FIELD_NAMES, type Field, genresOf, isTyped, keyIn, LONGEST, shownOf, type TypedField } from './songFields.ts'
import * as texts from './texts.ts'

const GenreDialog = lazyOnDemand(() => import('./GenreDialog.tsx').then(({ GenreDialog }) => GenreDialog))

type Told = staffSongs.SelectedSong

/** Every value of a song, its source, and the values of other sources. */
export function SongFields({ song, told }: { song: Song; told: readonly Told[] }) {
  return (
    <dl className={css.fields}>
      {staffSongs.FIELDS.map((field) => (
        <div key={field} className={css.field}>
          <dt>{FIELD_NAMES[field]}</dt>
          <dd>
            <FieldValue song={song} field={field} />
            <Others song={song} field={field} told={told.filter((each) => each.field === field)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function FieldValue({ song, field }: { song: Song; field: Field }) {
  const state = useCell(song, field)
  return (
    <div className={css.value}>
      {isTyped(field) && <TextField song={song} field={field} />}
      {field === 'genres' && <GenresField song={song} />}
      {field === 'song_section_id' && <SectionField song={song} />}
      <SourceMark source={song.origins[field]} />
      <StateMark state={state} />
      {state?.state === 'refused' && (
        <p className={css.wrong} role="alert">
          {state.message}
        </p>
      )}
    </div>
  )
}

/** Saved on blur or Enter; Escape cancels. */
function TextField({ song, field }: { song: Song; field: TypedField }) {
  const state = useCell(song, field)
  const notation = usePreferences((preferences) => preferences.notation)
  const shown = shownOf(song, field, notation)
  const kept = state && state.state !== 'saved' ? state.typed : shown
  const [text, setText] = useState(kept)
  useEffect(() => setText(kept), [kept])
  const key = cellKey(song.entity_id, field)
  const isRefused = state?.state === 'refused'
  const save = ({ isMeant }: { isMeant: boolean }) => {
    if (text.trim() === shown) return dropCell(key)
    // A rejected value is sent again only when the user explicitly does so.
    if (isRefused && !isMeant && text === state.typed) return
    void saveField(song, field, text)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') save({ isMeant: true })
    else if (event.key === 'Escape') {
      dropCell(key)
      setText(shown)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <input
      aria-label={FIELD_NAMES[field]}
      aria-invalid={isRefused || undefined}
      className={css.control}
      value={text}
      maxLength={LONGEST[field]}
      autoComplete="off"
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={() => save({ isMeant: false })}
      onKeyDown={press}
    />
  )
}

function GenresField({ song }: { song: Song }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p className={css.genres}>{genresOf(song) || texts.none}</p>
      <Button onClick={() => setOpen(true)}>{texts.edit}</Button>
      {isOpen && <GenreDialog song={song} onClose={() => setOpen(false)} />}
    </>
  )
}

const SectionField = ({ song }: { song: Song }) => (
  <select
    aria-label={texts.section}
    className={css.control}
    value={song.song_section_id}
    onChange={({ currentTarget }) =>
      void saveChoice(song, 'song_section_id', { song_section_id: Number(currentTarget.value) })
    }
  >
    {SECTION_CHOICES.map((section) => (
      <option key={section} value={section}>
        {sectionName(section)}
      </option>
    ))}
  </select>
)

const SOURCES: Record<staffSongs.Origin, string> = {
  tag: texts.fileTags,
  name: texts.fileName,
  analysis: texts.analysis,
  uploader: texts.uploader,
  staff: texts.staff,
}

/** Values of other sources, each with a button to use it. */
function Others({ song, field, told }: { song: Song; field: Field; told: readonly Told[] }) {
  if (told.length === 0) return null
  return (
    <ul className={css.others} aria-label={format(texts.otherSourcesFor, { field: FIELD_NAMES[field] })}>
      {told.map((each) => (
        <Other key={`${each.from} ${each.where} ${each.value}`} song={song} told={each} />
      ))}
    </ul>
  )
}

function Other({ song, told }: { song: Song; told: Told }) {
  const { field, from, where, value, confidence, alternatives, genre_ids } = told
  const id = useId()
  const notation = usePreferences((preferences) => preferences.notation)
  const shown = field === 'song_key' ? keyIn(notation, value) : value
  const isSame = shown === shownOf(song, field, notation) || isSameGenres(song, told)
  const isHeld = isSame && song.origins[field] === from
  const take = () => {
    const change = field === 'genres' ? { genres: { how: 'replace' as const, genre_ids } } : { [field]: value }
    void saveCell({ song, what: field, name: FIELD_NAMES[field], typed: '', wish: { change, from } })
  }
  const takeOther = (bpm: string) =>
    void saveCell({ song, what: field, name: FIELD_NAMES[field], typed: '', wish: { change: { bpm } } })
  const canTake = !isHeld && (field !== 'genres' || genre_ids.length > 0)
  return (
    <li>
      <p id={id}>
        <b>{shown}</b> {SOURCES[from]} <small title={where}>{where}</small>
        {confidence !== null && (
          <small className="num"> {format(texts.confidence, { round: Math.round(confidence * 100) })}</small>
        )}
      </p>
      {isHeld && <span className={css.held}>{texts.inUse}</span>}
      {canTake && (
        <Button aria-describedby={id} onClick={take}>
          {texts.use}
        </Button>
      )}
      {alternatives
        .filter((bpm) => bpm !== shownOf(song, 'bpm', notation))
        .map((bpm) => (
          <Button key={bpm} onClick={() => takeOther(bpm)}>
            {format(texts.useBpm, { bpm })}
          </Button>
        ))}
    </li>
  )
}

const isSameGenres = (song: Song, { field, genre_ids }: Told): boolean =>
  field === 'genres' &&
  genre_ids.length > 0 &&
  genre_ids.every((id) => song.genres.some(({ genre_id }) => genre_id === id))
