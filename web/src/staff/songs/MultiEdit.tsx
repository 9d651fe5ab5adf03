import { corrections } from '@dubplate/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SECTION_CHOICES, sectionName } from '../uploads/uploadStates.ts'
import { GenreBoxes } from './GenreBoxes.tsx'
import css from './MultiEdit.module.css'
import { type NamedSong, sayDone, tookSeveral } from './songDeeds.ts'
import { FIELD_NAMES, MAX_LENGTHS, type TextField } from './songFields.ts'
import * as texts from './texts.ts'

/** Fields that can be set on several songs: a title or an ISRC belongs to a single song. */
const SET_TOGETHER = [
  'artist',
  'album',
  'label',
  'remixer',
  'year',
  'bpm',
  'song_key',
] as const satisfies readonly TextField[]
type Text = (typeof SET_TOGETHER)[number]

const HOW = { add: texts.add, take: texts.remove, replace: texts.replaceWith } as const
type How = keyof typeof HOW

type Wish = {
  /** New values of the ticked fields; '' clears the value. */
  texts: Partial<Record<Text, string>>
  section: number | undefined
  how: How | undefined
  genres: number[]
}

/** The input as a change of the contract; undefined while nothing is chosen. */
function textChange({ texts, section, how, genres }: Wish): corrections.SongChange | undefined {
  const change: corrections.SongChange = {
    ...texts,
    ...(section === undefined ? {} : { song_section_id: section }),
    ...(how && genres.length > 0 ? { genres: { how, genre_ids: genres } } : {}),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

type Props = { songs: readonly NamedSong[]; onClose: () => void; onDone: (outcome: corrections.Outcome) => void }

/** Sets one or more values on all selected songs, and first says how many songs that changes. */
export function MultiEdit({ songs, onClose, onDone }: Props) {
  const [wish, setWish] = useState<Wish>({ texts: {}, section: undefined, how: undefined, genres: [] })
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const change = textChange(wish)
  const preview = usePreview(songs, change)
  const write = (part: Partial<Wish>) => setWish({ ...wish, ...part })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!change) return
    setBusy(true)
    setTrouble('')
    try {
      const outcome = await tookSeveral(await callApi(corrections.editSongs, { songs: [...songs], change }))
      sayDone(outcomeInWords(outcome), outcome.song_edit_id)
      onDone(outcome)
      if (outcome.left.length === 0) onClose()
      else preview.show(outcome)
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : texts.couldntSaveYourChangesTry)
    }
    setBusy(false)
  }
  return (
    <Dialog title={format(texts.editSongs, { count: songs.length })} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={(event) => void save(event)}>
        <Texts wish={wish} onChange={(texts) => write({ texts })} />
        <Section section={wish.section} onChange={(section) => write({ section })} />
        <Genres wish={wish} onChange={write} />
        <Outcome preview={preview} />
        {trouble && (
          <p className={css.trouble} role="alert">
            {trouble}
          </p>
        )}
        <div className={css.actions}>
          <Button onClick={onClose}>{preview.isDone ? texts.close : texts.cancel}</Button>
          {!preview.isDone && (
            <Button type="submit" variant="primary" busy={isBusy} disabled={!preview.outcome?.changed}>
              {preview.outcome?.changed
                ? format(texts.updateSongs, { changed: preview.outcome.changed })
                : texts.update}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

const outcomeInWords = ({ changed, same, left }: corrections.Outcome): string =>
  [
    format(texts.songsUpdated, { changed }),
    same > 0 && format(texts.songsAlreadyUpToDate, { same }),
    left.length > 0 && format(texts.songsNotChanged, { count: left.length }),
  ]
    .filter(Boolean)
    .join(' ')

function Texts({ wish: { texts: typed }, onChange }: { wish: Wish; onChange: (texts: Wish['texts']) => void }) {
  const tick = (field: Text, isOn: boolean) => {
    const { [field]: _, ...others } = typed
    onChange(isOn ? { ...others, [field]: '' } : others)
  }
  return (
    <fieldset className={css.texts}>
      <legend className="sr">{texts.details}</legend>
      {SET_TOGETHER.map((field) => {
        const isOn = typed[field] !== undefined
        return (
          <div key={field} className={css.line}>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                onChange={({ currentTarget }) => tick(field, currentTarget.checked)}
              />
              {FIELD_NAMES[field]}
            </label>
            <input
              aria-label={format(texts.forAllSelectedSongs, { field: FIELD_NAMES[field] })}
              placeholder={isOn ? texts.leaveEmptyToClear : texts.noChange}
              maxLength={MAX_LENGTHS[field]}
              autoComplete="off"
              value={typed[field] ?? ''}
              onChange={({ currentTarget }) => onChange({ ...typed, [field]: currentTarget.value })}
            />
          </div>
        )
      })}
    </fieldset>
  )
}

const Section = ({
  section,
  onChange,
}: {
  section: number | undefined
  onChange: (section: number | undefined) => void
}) => (
  <label className={css.line}>
    <span>{texts.section}</span>
    <select
      value={section ?? ''}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? undefined : Number(value))}
    >
      <option value="">{texts.noChange}</option>
      {SECTION_CHOICES.map((choice) => (
        <option key={choice} value={choice}>
          {sectionName(choice)}
        </option>
      ))}
    </select>
  </label>
)

function Genres({ wish: { how, genres }, onChange }: { wish: Wish; onChange: (part: Partial<Wish>) => void }) {
  return (
    <>
      <label className={css.line}>
        <span>{texts.genresAndMoods}</span>
        <select
          value={how ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ how: value === '' ? undefined : (value as How) })}
        >
          <option value="">{texts.noChange}</option>
          {Object.entries(HOW).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {how && <GenreBoxes legend={HOW[how]} chosen={genres} onChange={(genres) => onChange({ genres })} />}
    </>
  )
}

type Preview = ReturnType<typeof usePreview>

const PAUSE_MS = 350

/** Loads the effect of a change shortly after the last input. */
function usePreview(songs: readonly NamedSong[], change: corrections.SongChange | undefined) {
  const [outcome, setOutcome] = useState<corrections.Outcome>()
  const [trouble, setTrouble] = useState('')
  const [isDone, setDone] = useState(false)
  const asked = change ? JSON.stringify(change) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is a new object on each render, so its JSON is compared
  useEffect(() => {
    setOutcome(undefined)
    setTrouble('')
    if (!change) return
    setDone(false)
    const control = new AbortController()
    const timer = setTimeout(() => {
      callApi(corrections.editSongs, { songs: [...songs], change, preview: true }, { signal: control.signal }).then(
        setOutcome,
        (error: unknown) =>
          !control.signal.aborted &&
          setTrouble(error instanceof Error ? error.message : texts.couldntPreviewTheChanges),
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [asked])
  const show = (done: corrections.Outcome) => {
    setOutcome(done)
    setDone(true)
  }
  return { outcome, trouble, isDone, isAsked: asked !== '', show }
}

const SHOWN_LEFT = 20

/** How many songs change, and which ones cannot be changed. */
function Outcome({ preview: { outcome, trouble, isDone, isAsked } }: { preview: Preview }) {
  const words = outcome && (isDone ? outcomeInWords(outcome) : previewInWords(outcome))
  return (
    <div className={css.outcome}>
      <p role="status">{trouble || words || (isAsked ? texts.loading : texts.chooseTheFieldsToChange)}</p>
      {outcome && outcome.left.length > 0 && (
        <ul>
          {outcome.left.slice(0, SHOWN_LEFT).map(({ entity_id, title, message }) => (
            <li key={entity_id}>
              <b>{title || format(texts.songNumber, { entity_id })}</b> {message}
            </li>
          ))}
          {outcome.left.length > SHOWN_LEFT && (
            <li>{format(texts.moreSongs, { length: outcome.left.length - SHOWN_LEFT })}</li>
          )}
        </ul>
      )}
    </div>
  )
}

const previewInWords = ({ changed, same, left }: corrections.Outcome): string =>
  [
    format(texts.songsWillBeUpdated, { changed }),
    same > 0 && format(texts.songsAlreadyUpToDate, { same }),
    left.length > 0 && format(texts.songsCantBeUpdated, { count: left.length }),
  ]
    .filter(Boolean)
    .join(' ')
