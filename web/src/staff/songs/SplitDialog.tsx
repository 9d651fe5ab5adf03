import { merging, type ReplyOf } from '@dubplate/contract'
import { type FormEvent, useState } from 'react'
import { formatExactDate } from '../../platform/format.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../uploads/Field.tsx'
import css from './SongUpkeep.module.css'
import { splitSong, undoMerge } from './songUpkeep.ts'
import * as texts from './texts.ts'
import { proposedSong, versionFacts } from './upkeepWords.ts'

type Props = {
  entityId: number
  onClose: () => void
  /** Called with the id of the new song. */
  onDone: (entityId: number) => void
}

/** Splits a song: undoes a merge, or makes versions a song of their own. */
export function SplitDialog({ entityId, onClose, onDone }: Props) {
  const { data, error, refetch } = useApiQuery(merging.getSplit, { entity_id: entityId })
  const done = (entityId: number) => {
    onDone(entityId)
    onClose()
  }
  return (
    <Dialog title={texts.splitSong} isWide onClose={onClose}>
      {!data && !error && <i className={css.bone} aria-busy aria-hidden />}
      {!data && error && <InlineError error={error} subject={texts.thisSong} retry={() => void refetch()} alert />}
      {data && (
        <div className={css.form}>
          {data.merges.length > 0 && <Merges merges={data.merges} onDone={done} />}
          <NewSong look={data} onLookAgain={() => void refetch()} onClose={onClose} onDone={done} />
        </div>
      )}
    </Dialog>
  )
}

type Look = ReplyOf<typeof merging.getSplit>

function Merges({ merges, onDone }: { merges: Look['merges']; onDone: Props['onDone'] }) {
  const [busy, setBusy] = useState<number>()
  const [complaint, setComplaint] = useState('')
  const undo = async (entityId: number) => {
    setBusy(entityId)
    setComplaint('')
    try {
      onDone(await undoMerge(entityId))
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : texts.couldntUndoTryAgain)
      setBusy(undefined)
    }
  }
  return (
    <section className={css.part} aria-labelledby="split-merges">
      <h3 id="split-merges">{texts.mergedSongs}</h3>
      <ul>
        {merges.map(({ entity_id, title, artist, merged_at, merged_by, versions, blocked_reason }) => (
          <li key={entity_id} className={css.merge}>
            <span className={css.words}>
              <b>
                {artist} – {title}
              </b>
              <small>
                <span className="num">#{entity_id}</span> · {format(texts.versionCount, { n: versions.length })} ·{' '}
                {merged_by
                  ? format(texts.mergedBy, { time: formatExactDate(merged_at), by: merged_by.dj_name })
                  : format(texts.merged, { time: formatExactDate(merged_at) })}
              </small>
              {blocked_reason && <small>{blocked_reason}</small>}
            </span>
            <Button
              busy={busy === entity_id}
              disabled={blocked_reason !== '' || busy !== undefined}
              aria-label={format(texts.undoMergeOf, { title })}
              onClick={() => void undo(entity_id)}
            >
              {texts.undoMerge}
            </Button>
          </li>
        ))}
      </ul>
      <p className={css.note}>{texts.theSongGetsBackIts}</p>
      <p role="alert" className={css.trouble} hidden={!complaint}>
        {complaint}
      </p>
    </section>
  )
}

type NewSongProps = { look: Look; onLookAgain: () => void; onClose: () => void; onDone: Props['onDone'] }

function NewSong({ look: { song, versions, state }, onLookAgain, onClose, onDone }: NewSongProps) {
  const [chosen, setChosen] = useState<number[]>([])
  /** What was typed; until then the suggestion is used. */
  const [typed, setTyped] = useState<{ title?: string; artist?: string }>({})
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [complaint, setComplaint] = useState('')
  const going = versions.filter(({ song_version_id }) => chosen.includes(song_version_id))
  const { title, artist } = { ...proposedSong(song, going), ...typed }
  const why = whyNot(versions, chosen)
  const choose = (id: number, isOn: boolean) => setChosen(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
  const split = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setComplaint('')
    if (why || !title.trim() || !artist.trim()) return
    setBusy(true)
    try {
      onDone(await splitSong({ entity_id: song.entity_id, song_version_ids: chosen, title, artist, state }))
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : texts.couldntSplitTheSongTry)
      setBusy(false)
      onLookAgain()
    }
  }
  return (
    <form noValidate className={css.form} onSubmit={(event) => void split(event)}>
      <fieldset className={css.part}>
        <legend>{texts.versionsForTheNewSong}</legend>
        {versions.map((version) => (
          <label key={version.song_version_id} className={css.version}>
            <input
              type="checkbox"
              checked={chosen.includes(version.song_version_id)}
              onChange={({ target }) => choose(version.song_version_id, target.checked)}
            />
            <span className={css.words}>
              <b>{version.version_label}</b>
              <small>
                {versionFacts(version)}
                {version.uploaded_name && ` · ${version.uploaded_name}`}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      <div className={css.pair}>
        <Field label={texts.title} path="title" fieldError={isTried && !title.trim() ? texts.enterATitle : undefined}>
          {(control) => (
            <input
              {...control}
              maxLength={300}
              autoComplete="off"
              value={title}
              onChange={({ target }) => setTyped({ ...typed, title: target.value })}
            />
          )}
        </Field>
        <Field
          label={texts.artist}
          path="artist"
          fieldError={isTried && !artist.trim() ? texts.enterAnArtist : undefined}
        >
          {(control) => (
            <input
              {...control}
              maxLength={300}
              autoComplete="off"
              value={artist}
              onChange={({ target }) => setTyped({ ...typed, artist: target.value })}
            />
          )}
        </Field>
      </div>
      <p className={css.note}>{format(texts.theNewSongKeepsThe, { title: song.title })}</p>
      <p role="alert" className={css.trouble} hidden={!(complaint || (isTried && why))}>
        {complaint || why}
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {texts.splitSong}
        </Button>
      </div>
    </form>
  )
}

/** Why these versions cannot become a separate song; '' when they can. */
function whyNot(versions: Look['versions'], chosen: readonly number[]): string {
  if (chosen.length === 0) return texts.selectTheVersionsForThe
  const staying = versions.filter(({ song_version_id }) => !chosen.includes(song_version_id))
  if (staying.length === 0) return texts.leaveAtLeastOneVersion
  const isListed = versions.some(({ is_listed }) => is_listed)
  return isListed && !staying.some(({ is_listed }) => is_listed) ? texts.leaveAtLeastOnePublished : ''
}
