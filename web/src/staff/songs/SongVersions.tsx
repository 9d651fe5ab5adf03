import { type staffSongs, uploadedSongs } from '@dubplate/contract'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { formatDuration } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { cellKey, dropCell, saveCell } from './cellStates.ts'
import { StateMark, useCell } from './SongCell.tsx'
import css from './SongVersions.module.css'
import type { Song } from './songDeeds.ts'
import { secondsOf, startOf } from './songFields.ts'
import { setVersionStanding } from './standing.ts'
import * as texts from './texts.ts'

const ReasonDialog = lazyOnDemand(() => import('../../admin/ReasonDialog.tsx').then(({ ReasonDialog }) => ReasonDialog))

type Version = staffSongs.StaffVersion
type Analysing = Record<string, { state: string; progress: number; last_error: string }>

/** The versions of a song: type, name, order and preview start, each saved at once. */
export function SongVersions({ song, analysing = {} }: { song: Song; analysing?: Analysing }) {
  const [asked, setAsked] = useState<{ version: Version; which: 'unpublish' | 'restore' }>()
  if (song.versions.length === 0) return <p className={css.none}>{texts.noVersions}</p>
  return (
    <>
      <ol className={css.versions} aria-label={format(texts.versionsOf, { title: song.title })}>
        {song.versions.map((version, at) => (
          <VersionRow
            key={version.song_version_id}
            {...{ song, version, at }}
            analysing={analysing[String(version.song_version_id)]}
            onStanding={(which) => setAsked({ version, which })}
          />
        ))}
      </ol>
      {asked && (
        <ReasonDialog
          title={format(asked.which === 'unpublish' ? texts.unpublishQuestion : texts.publishQuestion, {
            title: asked.version.version_label,
          })}
          text={
            asked.which === 'unpublish' ? texts.thisVersionDisappearsImmediatelyMembers : texts.thisVersionIsAvailableTo
          }
          verb={asked.which === 'unpublish' ? texts.unpublish : texts.publish}
          hint={texts.savedInTheAuditLog}
          missingMessage={asked.which === 'unpublish' ? texts.enterAReasonYourColleagues : undefined}
          isDanger={asked.which === 'unpublish'}
          draftName={`version.${asked.version.song_version_id}`}
          onSend={(reason) => setVersionStanding(asked.which, song, asked.version, reason)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

type RowProps = {
  song: Song
  version: Version
  at: number
  analysing: Analysing[string] | undefined
  onStanding: (which: 'unpublish' | 'restore') => void
}

function VersionRow({ song, version, at, analysing, onStanding }: RowProps) {
  const { song_version_id, version_label, status } = version
  const isOut = status === 'unpublished'
  const move = (step: 1 | -1) => {
    const order = song.versions.map((each) => each.song_version_id)
    order.splice(at, 1)
    order.splice(at + step, 0, song_version_id)
    void saveCell({ song, what: 'order', name: texts.versionOrder, typed: '', wish: { order } })
  }
  return (
    <li className={css.version} data-out={isOut || undefined} aria-label={version_label}>
      <span className={css.order}>
        <IconButton label={format(texts.moveUp, { version_label })} disabled={at === 0} onClick={() => move(-1)}>
          <IconArrowUp size={15} />
        </IconButton>
        <IconButton
          label={format(texts.moveDown, { version_label })}
          disabled={at === song.versions.length - 1}
          onClick={() => move(1)}
        >
          <IconArrowDown size={15} />
        </IconButton>
      </span>
      <Kind song={song} version={version} />
      <VersionField
        {...{ song, version }}
        what="name"
        label={format(texts.nameOf, { version_label })}
        shown={version_label}
        longest={60}
        wishOf={(typed) => ({ versions: [{ song_version_id, version_label: typed }] })}
      />
      <VersionField
        {...{ song, version }}
        what="start"
        label={format(texts.previewStartOf, { version_label })}
        shown={startOf(version.start_seconds)}
        longest={9}
        wishOf={(typed) => {
          const start_seconds = secondsOf(typed)
          return start_seconds === undefined
            ? texts.enterTheStartAsMinutes
            : { versions: [{ song_version_id, start_seconds }] }
        }}
      />
      <FileOf version={version} analysing={analysing} />
      <Button onClick={() => onStanding(isOut ? 'restore' : 'unpublish')}>
        {isOut ? texts.publishMenuItem : texts.unpublishMenuItem}
      </Button>
    </li>
  )
}

const FILE_WORDS = { missing: texts.fileMissing, generated: texts.generatedOnDemand } as const

function FileOf({ version, analysing }: Pick<RowProps, 'version' | 'analysing'>) {
  const { duration_seconds, format, file, status } = version
  const words = [
    formatDuration(duration_seconds),
    format?.toUpperCase(),
    file === 'stored' ? undefined : FILE_WORDS[file],
  ]
  return (
    <span className={`${css.file} num`}>
      {words.filter(Boolean).join(' · ')}
      {status === 'unpublished' && <b> · {texts.unpublished}</b>}
      {analysing && analysing.state !== 'done' && (
        <small data-failed={analysing.state === 'failed' || undefined}>{analysisInWords(analysing)}</small>
      )}
    </span>
  )
}

function analysisInWords({ state, progress, last_error }: Analysing[string]): string {
  if (state === 'queued') return texts.reAnalysisPending
  if (state === 'running') return format(texts.reAnalysing, { round: Math.round(progress * 100) })
  return last_error
}

/** Choosing a type also sets its name. */
function Kind({ song, version }: { song: Song; version: Version }) {
  const { data } = useApiQuery(uploadedSongs.getVersions, {})
  const what = `version.${version.song_version_id}.kind`
  const state = useCell(song, what)
  const { song_version_id, version_kind_id, version_label } = version
  const kinds = data?.versions ?? []
  const isOwn = !kinds.some(({ version_id }) => version_id === version_kind_id)
  return (
    <span className={css.field}>
      <select
        aria-label={format(texts.typeOf, { version_label })}
        value={version_kind_id}
        aria-invalid={state?.state === 'refused' || undefined}
        onChange={({ currentTarget }) => {
          const versions = [{ song_version_id, version_kind_id: Number(currentTarget.value) }]
          void saveCell({ song, what, name: format(texts.typeOf, { version_label }), typed: '', wish: { versions } })
        }}
      >
        {isOwn && <option value={version_kind_id}>{texts.custom}</option>}
        {kinds.map(({ version_id, name }) => (
          <option key={version_id} value={version_id}>
            {name}
          </option>
        ))}
      </select>
      <StateMark state={state} />
      {state?.state === 'refused' && <em role="alert">{state.message}</em>}
    </span>
  )
}

type Wish = Parameters<typeof saveCell>[0]['wish']

type FieldProps = {
  song: Song
  version: Version
  what: 'name' | 'start'
  label: string
  shown: string
  longest: number
  /** The value to save, or the error message. */
  wishOf: (typed: string) => Wish | string
}

/** A field that is saved on blur or Enter; Escape cancels. */
function VersionField({ song, version, what, label, shown, longest, wishOf }: FieldProps) {
  const name = `version.${version.song_version_id}.${what}`
  const state = useCell(song, name)
  const kept = state && state.state !== 'saved' ? state.typed : shown
  const [text, setText] = useState(kept)
  const [wrong, setWrong] = useState('')
  useEffect(() => setText(kept), [kept])
  const save = () => {
    setWrong('')
    if (text.trim() === shown) return dropCell(cellKey(song.entity_id, name))
    if (state?.state === 'refused' && text === state.typed) return
    const wish = wishOf(text.trim())
    if (typeof wish === 'string') setWrong(wish)
    else void saveCell({ song, what: name, name: label, typed: text, wish })
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') {
      if (state?.state === 'refused') dropCell(cellKey(song.entity_id, name))
      const wish = wishOf(text.trim())
      if (typeof wish === 'string') setWrong(wish)
      else if (text.trim() !== shown) void saveCell({ song, what: name, name: label, typed: text, wish })
    } else if (event.key === 'Escape') {
      dropCell(cellKey(song.entity_id, name))
      setText(shown)
      setWrong('')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const why = wrong || (state?.state === 'refused' ? state.message : '')
  return (
    <span className={css.field} data-what={what}>
      <input
        aria-label={label}
        value={text}
        maxLength={longest}
        autoComplete="off"
        aria-invalid={why !== '' || undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={save}
        onKeyDown={press}
      />
      <StateMark state={state} />
      {why && <em role="alert">{why}</em>}
    </span>
  )
}
