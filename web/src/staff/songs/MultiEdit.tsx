import { corrections } from '@dubplate/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { ask } from '../../platform/api.ts'
import { plural } from '../../platform/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { SECTION_CHOICES, sectionName } from '../uploadWords.ts'
import { GenreBoxes } from './GenreBoxes.tsx'
import css from './MultiEdit.module.css'
import { type NamedSong, sayDone, tookSeveral } from './songDeeds.ts'
import { FIELD_NAMES, LONGEST, type TypedField } from './songFields.ts'

/** What is set of several songs: a title or an ISRC is one song's alone. */
const SET_TOGETHER = [
  'artist',
  'album',
  'label',
  'remixer',
  'year',
  'bpm',
  'song_key',
] as const satisfies readonly TypedField[]
type Text = (typeof SET_TOGETHER)[number]

const HOW = { add: 'Add', take: 'Remove', replace: 'Replace with' } as const
type How = keyof typeof HOW

type Wish = {
  /** Of the ticked fields what they become; '' takes the value away. */
  texts: Partial<Record<Text, string>>
  section: number | undefined
  how: How | undefined
  genres: number[]
}

/** What was chosen as a change of the contract; undefined while nothing is. */
function changeOf({ texts, section, how, genres }: Wish): corrections.SongChange | undefined {
  const change: corrections.SongChange = {
    ...texts,
    ...(section === undefined ? {} : { song_section_id: section }),
    ...(how && genres.length > 0 ? { genres: { how, genre_ids: genres } } : {}),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

type Props = { songs: readonly NamedSong[]; onClose: () => void; onDone: (outcome: corrections.Outcome) => void }

/** Sets one or more values of all selected songs; says before how many that changes. */
export function MultiEdit({ songs, onClose, onDone }: Props) {
  const [wish, setWish] = useState<Wish>({ texts: {}, section: undefined, how: undefined, genres: [] })
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const change = changeOf(wish)
  const preview = usePreview(songs, change)
  const write = (part: Partial<Wish>) => setWish({ ...wish, ...part })
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!change) return
    setBusy(true)
    setTrouble('')
    try {
      const outcome = await tookSeveral(await ask(corrections.editSongs, { songs: [...songs], change }))
      sayDone(outcomeInWords(outcome), outcome.song_edit_id)
      onDone(outcome)
      if (outcome.left.length === 0) onClose()
      else preview.show(outcome)
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : 'Couldn’t save your changes. Try again.')
    }
    setBusy(false)
  }
  return (
    <Dialog title={`Edit ${plural(songs.length, 'song')}`} onClose={onClose}>
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
          <Button onClick={onClose}>{preview.isDone ? 'Close' : 'Cancel'}</Button>
          {!preview.isDone && (
            <Button type="submit" look="primary" busy={isBusy} disabled={!preview.outcome?.changed}>
              {preview.outcome?.changed ? `Update ${plural(preview.outcome.changed, 'song')}` : 'Update'}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

const outcomeInWords = ({ changed, same, left }: corrections.Outcome): string =>
  [
    `${plural(changed, 'song')} updated.`,
    same > 0 && `${plural(same, 'song')} already up to date.`,
    left.length > 0 && `${plural(left.length, 'song')} not changed.`,
  ]
    .filter(Boolean)
    .join(' ')

function Texts({ wish: { texts }, onChange }: { wish: Wish; onChange: (texts: Wish['texts']) => void }) {
  const tick = (field: Text, isOn: boolean) => {
    const { [field]: _, ...others } = texts
    onChange(isOn ? { ...others, [field]: '' } : others)
  }
  return (
    <fieldset className={css.texts}>
      <legend className="sr">Details</legend>
      {SET_TOGETHER.map((field) => {
        const isOn = texts[field] !== undefined
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
              aria-label={`${FIELD_NAMES[field]} for all selected songs`}
              placeholder={isOn ? 'Leave empty to clear' : 'No change'}
              maxLength={LONGEST[field]}
              autoComplete="off"
              value={texts[field] ?? ''}
              onChange={({ currentTarget }) => onChange({ ...texts, [field]: currentTarget.value })}
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
    <span>Section</span>
    <select
      value={section ?? ''}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? undefined : Number(value))}
    >
      <option value="">No change</option>
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
        <span>Genres and moods</span>
        <select
          value={how ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ how: value === '' ? undefined : (value as How) })}
        >
          <option value="">No change</option>
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

/** What a change would do, asked a little after the last touch. */
function usePreview(songs: readonly NamedSong[], change: corrections.SongChange | undefined) {
  const [outcome, setOutcome] = useState<corrections.Outcome>()
  const [trouble, setTrouble] = useState('')
  const [isDone, setDone] = useState(false)
  const asked = change ? JSON.stringify(change) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is a new object each time, its words are what counts
  useEffect(() => {
    setOutcome(undefined)
    setTrouble('')
    if (!change) return
    setDone(false)
    const control = new AbortController()
    const timer = setTimeout(() => {
      ask(corrections.editSongs, { songs: [...songs], change, preview: true }, { signal: control.signal }).then(
        setOutcome,
        (error: unknown) =>
          !control.signal.aborted &&
          setTrouble(error instanceof Error ? error.message : 'Couldn’t preview the changes.'),
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

/** How many songs change, and which cannot. */
function Outcome({ preview: { outcome, trouble, isDone, isAsked } }: { preview: Preview }) {
  const words = outcome && (isDone ? outcomeInWords(outcome) : previewInWords(outcome))
  return (
    <div className={css.outcome}>
      <p role="status">{trouble || words || (isAsked ? 'Loading…' : 'Choose the fields to change.')}</p>
      {outcome && outcome.left.length > 0 && (
        <ul>
          {outcome.left.slice(0, SHOWN_LEFT).map(({ entity_id, title, message }) => (
            <li key={entity_id}>
              <b>{title || `Song ${entity_id}`}</b> {message}
            </li>
          ))}
          {outcome.left.length > SHOWN_LEFT && <li>{outcome.left.length - SHOWN_LEFT} more</li>}
        </ul>
      )}
    </div>
  )
}

const previewInWords = ({ changed, same, left }: corrections.Outcome): string =>
  [
    `${plural(changed, 'song')} will be updated.`,
    same > 0 && `${plural(same, 'song')} already up to date.`,
    left.length > 0 && `${plural(left.length, 'song')} can’t be updated:`,
  ]
    .filter(Boolean)
    .join(' ')
