import { merging } from '@dubplate/contract'
import { type FormEvent, useRef, useState } from 'react'
import { formatList } from '../../platform/formatList.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { imageAt } from '../../platform/media.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { fieldStyles } from '../../uploads/Field.tsx'
import {
  type Choices,
  choiceOf,
  collisionIn,
  type Look,
  type MergeVersion,
  placesOf,
  WAYS,
  type Way,
} from './mergeChoices.ts'
import css from './SongUpkeep.module.css'
import { mergeSongs } from './songUpkeep.ts'
import * as texts from './texts.ts'
import { followsInWords, songFacts, versionFacts } from './upkeepWords.ts'

type Props = {
  entityIds: readonly number[]
  onClose: () => void
  /** Called with the id of the remaining song. */
  onDone: (entityId: number) => void
}

/** Merges songs into one, and first shows the effect. */
export function MergeDialog({ entityIds, onClose, onDone }: Props) {
  return (
    <Dialog title={format(texts.mergeSongs, { length: entityIds.length })} isWide onClose={onClose}>
      {entityIds.length > merging.MAX_MERGED_SONGS ? (
        <p>{format(texts.youCanMergeUpTo, { MOST_MERGED: merging.MAX_MERGED_SONGS })}</p>
      ) : (
        <Merge entityIds={entityIds} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  )
}

function Merge({ entityIds, onClose, onDone }: Props) {
  const [keep, setKeep] = useState<number>()
  const wish = { entity_ids: [...entityIds], ...(keep ? { keep_entity_id: keep } : {}) }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(merging.getMerge, wish, { keepPrevious: true })
  const [choices, setChoices] = useState<Choices>({})
  if (!data)
    return error ? (
      <InlineError error={error} subject={texts.theseSongs} retry={() => void refetch()} alert />
    ) : (
      <ToCome n={entityIds.length} />
    )
  const chooseKeep = (entityId: number) => {
    setKeep(entityId)
    setChoices({})
  }
  return (
    <Form
      look={data}
      keep={keep ?? data.keep_entity_id}
      isStale={isPlaceholderData}
      choices={choices}
      onKeep={chooseKeep}
      onChoose={(version, choice) => setChoices({ ...choices, [version.song_version_id]: choice })}
      onLookAgain={() => void refetch()}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

type FormProps = Omit<Props, 'entityIds'> & {
  look: Look
  keep: number
  /** The preview of another remaining song is loading. */
  isStale: boolean
  choices: Choices
  onKeep: (entityId: number) => void
  onChoose: (version: MergeVersion, choice: Choices[number]) => void
  onLookAgain: () => void
}

function Form({ look, keep, isStale, choices, onKeep, onChoose, onLookAgain, onClose, onDone }: FormProps) {
  const [isBusy, setBusy] = useState(false)
  const [complaint, setComplaint] = useState('')
  const collision = collisionIn(look.versions, choices)
  const why = look.blocked_reason || collision
  const merge = async (event: FormEvent) => {
    event.preventDefault()
    if (why || isStale) return
    setBusy(true)
    setComplaint('')
    try {
      const entity_ids = look.songs.map(({ entity_id }) => entity_id)
      const versions = placesOf(look.versions, choices)
      onDone(await mergeSongs({ entity_ids, keep_entity_id: keep, versions, state: look.state }))
      onClose()
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : texts.couldntMergeTheSongsTry)
      setBusy(false)
      onLookAgain()
    }
  }
  return (
    <form noValidate className={css.form} aria-busy={isStale} onSubmit={(event) => void merge(event)}>
      <Songs look={look} keep={keep} onKeep={onKeep} />
      {/* Which versions conflict depends on the remaining song, so the fields are disabled while another preview loads. */}
      <fieldset className={css.whole} disabled={isStale}>
        <Versions look={look} choices={choices} onChoose={onChoose} />
      </fieldset>
      <Follows look={look} />
      <p className={css.note}>{texts.youCanUndoAMerge}</p>
      <p role="alert" className={css.trouble} hidden={!(complaint || why)}>
        {complaint || why}
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={isBusy} disabled={why !== '' || isStale}>
          {texts.merge}
        </Button>
      </div>
    </form>
  )
}

const Songs = ({ look, keep, onKeep }: Pick<FormProps, 'look' | 'keep' | 'onKeep'>) => (
  <fieldset className={css.part}>
    <legend>{texts.keepThisSong}</legend>
    {look.songs.map((song) => (
      <label key={song.entity_id} className={css.song}>
        <input
          type="radio"
          name="keep"
          data-autofocus={song.entity_id === keep || undefined}
          checked={song.entity_id === keep}
          onChange={() => onKeep(song.entity_id)}
        />
        <img src={imageAt(song.image, 96)} alt="" width={44} height={44} />
        <span className={css.words}>
          <b>{song.title}</b>
          <span>{song.artist}</span>
          <small>
            <span className="num">#{song.entity_id}</span> {songFacts(song)}
          </small>
        </span>
      </label>
    ))}
  </fieldset>
)

const plainInWords = ({ version_label, is_listed }: MergeVersion): string =>
  is_listed ? version_label : format(texts.unpublishedVersion, { version_label })

function Versions({ look: { versions }, choices, onChoose }: Pick<FormProps, 'look' | 'choices' | 'onChoose'>) {
  const plain = versions.filter(({ conflicts_with }) => conflicts_with === null)
  return (
    <section className={css.part} aria-labelledby="merge-versions">
      <h3 id="merge-versions">{texts.versions}</h3>
      {versions
        .filter(({ conflicts_with }) => conflicts_with !== null)
        .map((version) => (
          <Meeting
            key={version.song_version_id}
            version={version}
            other={versions.find(({ song_version_id }) => song_version_id === version.conflicts_with)}
            choice={choiceOf(choices, version)}
            onChoose={(choice) => onChoose(version, choice)}
          />
        ))}
      {plain.length > 0 && (
        <p className={css.plain}>{format(texts.unchanged, { versions: formatList(plain.map(plainInWords)) })}</p>
      )}
    </section>
  )
}

type MeetingProps = {
  version: MergeVersion
  other: MergeVersion | undefined
  choice: Choices[number]
  onChoose: (choice: Choices[number]) => void
}

/** Two versions with the same name: keep both, or remove one. */
function Meeting({ version, other, choice, onChoose }: MeetingProps) {
  const name = useRef<HTMLInputElement>(null)
  const label = version.version_label
  const choose = (way: Way) => {
    onChoose({ ...choice, way })
    if (way === 'both') requestAnimationFrame(() => name.current?.focus())
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: its fields have labels of their own
    <div role="group" aria-label={format(texts.duplicateVersion, { label })} className={css.meeting}>
      <p className={css.words}>
        <b>{format(texts.duplicate, { label })}</b>
        <small>
          {format(texts.thisOneSong, { versionFacts: versionFacts(version), entity_id: version.entity_id })}
        </small>
        {other && (
          <small>{format(texts.otherSong, { versionFacts: versionFacts(other), entity_id: other.entity_id })}</small>
        )}
        {version.is_same_audio && <span className={css.same}>{texts.identicalAudio}</span>}
      </p>
      <div className={css.ways}>
        <select
          className={fieldStyles.control}
          aria-label={format(texts.whatToDoWithThe, { label })}
          value={choice.way}
          onChange={({ target }) => choose(target.value as Way)}
        >
          {Object.entries(WAYS).map(([way, text]) => (
            <option key={way} value={way}>
              {text}
            </option>
          ))}
        </select>
        {choice.way === 'both' && (
          <input
            ref={name}
            className={fieldStyles.control}
            aria-label={format(texts.nameForTheSecond, { label })}
            maxLength={60}
            autoComplete="off"
            value={choice.label}
            onChange={({ target }) => onChoose({ way: 'both', label: target.value })}
          />
        )}
      </div>
    </div>
  )
}

function Follows({ look }: { look: Look }) {
  const sentences = followsInWords(look.follows)
  return (
    <section className={css.part} aria-labelledby="merge-follows">
      <h3 id="merge-follows">{texts.whatMovesToTheRemaining}</h3>
      <ul className={css.follows}>
        <li>{texts.linksToTheOtherSongs}</li>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}

const ToCome = ({ n }: { n: number }) => (
  <div className={css.form} aria-busy>
    {Array.from({ length: Math.min(n, 6) }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <i key={i} className={css.bone} aria-hidden />
    ))}
  </div>
)
