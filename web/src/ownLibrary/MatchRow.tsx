import type { catalogue, ownLibrary } from '@dubplate/contract'
import { IconArrowBackUp, IconCheck, IconSearch, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import css from './Matches.module.css'
import { SongFacts } from './SongFacts.tsx'
import * as texts from './texts.ts'

type Match = ownLibrary.EntryMatch
type Songs = ReadonlyMap<number, catalogue.Song>

export type RowActions = {
  confirm: (match: Match, song: catalogue.Song, songVersionId: number | null) => void
  reject: (match: Match) => void
  undo: (match: Match) => void
}

type Props = { match: Match; songs: Songs; actions: RowActions }

/** A file of the library, and the song that it is, or may be. */
export function MatchRow(props: Props) {
  const { match } = props
  return (
    <li className={css.match} data-song={match.entry_id} data-state={match.state}>
      <FileFacts match={match} />
      {match.state === 'review' ? (
        <Candidates {...props} />
      ) : match.state === 'matched' ? (
        <MatchedSong {...props} />
      ) : (
        <NotFound {...props} />
      )}
    </li>
  )
}

const titleOf = ({ title, file_name }: Match) => title || file_name

/** What the library says about the file. */
function FileFacts({ match }: { match: Match }) {
  const { artist, version, file_name, folder, duration_seconds } = match
  const path = folder ? `${folder}/${file_name}` : file_name
  return (
    <div className={css.file}>
      <b className="ellipsis" title={titleOf(match)}>
        {titleOf(match)}
      </b>
      <span className="ellipsis">{[artist || texts.noArtist, version].filter(Boolean).join(' · ')}</span>
      <small className="ellipsis" title={path}>
        {duration_seconds !== null && <span className="num">{formatDuration(duration_seconds)} · </span>}
        {path}
      </small>
    </div>
  )
}

const versionOf = (song: catalogue.Song, id: number | null) =>
  song.version.find(({ song_version_id }) => song_version_id === id)

function Candidates({ match, songs, actions }: Props) {
  const found = match.candidates.flatMap((candidate) => {
    const song = songs.get(candidate.entity_id)
    return song ? { ...candidate, song } : []
  })
  const rejectLabel = found.length > 1 ? texts.noneOfThese : texts.notThisSong
  return (
    <div className={css.candidates}>
      {found.length === 0 && <p>{texts.candidatesUnavailable}</p>}
      <ul>
        {found.map((candidate) => (
          <Candidate
            key={candidate.entity_id}
            song={candidate.song}
            foundVersionId={candidate.song_version_id}
            confidence={candidate.confidence}
            onConfirm={(versionId) => actions.confirm(match, candidate.song, versionId)}
          />
        ))}
      </ul>
      <Button
        aria-label={format(texts.labelFor, { label: rejectLabel, title: titleOf(match) })}
        onClick={() => actions.reject(match)}
      >
        <IconX size={16} aria-hidden />
        {rejectLabel}
      </Button>
    </div>
  )
}

type CandidateProps = {
  song: catalogue.Song
  foundVersionId: number | null
  confidence: number
  onConfirm: (songVersionId: number | null) => void
}

function Candidate({ song, foundVersionId, confidence, onConfirm }: CandidateProps) {
  const [versionId, setVersionId] = useState(foundVersionId)
  const version = versionOf(song, versionId)
  return (
    <li>
      <SongFacts song={song} version={version}>
        <span className={css.versionChoice}>
          <select
            aria-label={format(texts.versionOfTitle, { title: song.title })}
            value={versionId ?? ''}
            onChange={({ currentTarget: { value } }) => setVersionId(value ? Number(value) : null)}
          >
            <option value="">{texts.versionUnknown}</option>
            {song.version.map(({ song_version_id, version_label }) => (
              <option key={song_version_id} value={song_version_id}>
                {version_label}
              </option>
            ))}
          </select>
          <small className="num">
            {version && `${formatDuration(version.duration_seconds)} · `}
            {format(texts.similarity, { percent: Math.round(confidence * 100) })}
          </small>
        </span>
      </SongFacts>
      <Button
        variant="primary"
        data-confirm
        aria-label={format(texts.labelFor, { label: texts.confirm, title: song.title })}
        onClick={() => onConfirm(versionId)}
      >
        <IconCheck size={16} aria-hidden />
        {texts.confirm}
      </Button>
    </li>
  )
}

const UndoButton = ({ match, actions }: Omit<Props, 'songs'>) => (
  <Button
    aria-label={format(texts.labelFor, { label: texts.undo, title: titleOf(match) })}
    onClick={() => actions.undo(match)}
  >
    <IconArrowBackUp size={16} aria-hidden />
    {texts.undo}
  </Button>
)

function MatchedSong({ match, songs, actions }: Props) {
  const song = match.entity_id === null ? undefined : songs.get(match.entity_id)
  const version = song && versionOf(song, match.song_version_id)
  return (
    <div className={css.result}>
      {song ? (
        <SongFacts song={song} version={version}>
          <small className="ellipsis">
            {[
              version?.version_label ?? texts.versionUnknown,
              match.decision ? texts.confirmedByYou : reasonOf(match),
            ].join(' · ')}
          </small>
        </SongFacts>
      ) : (
        <p>{texts.songUnavailable}</p>
      )}
      {match.decision ? (
        <UndoButton match={match} actions={actions} />
      ) : (
        <Button
          aria-label={format(texts.labelFor, { label: texts.notThisSong, title: titleOf(match) })}
          onClick={() => actions.reject(match)}
        >
          {texts.notThisSong}
        </Button>
      )}
    </div>
  )
}

const REASONS = { path: texts.sameFile, isrc: texts.sameIsrc, name: texts.sameName }

const reasonOf = ({ reason }: Match) => REASONS[reason ?? 'name']

function NotFound({ match, actions }: Props) {
  const { artist, title, file_name, decision } = match
  if (decision === 'rejected')
    return (
      <div className={css.result}>
        <p>{texts.rejectedByYou}</p>
        <UndoButton match={match} actions={actions} />
      </div>
    )
  const term = (title ? `${artist} ${title}` : file_name.replace(/\.[^.]+$/, '')).trim()
  return (
    <div className={css.result}>
      <p>{texts.notInThePool}</p>
      <Link
        to="/search/result/{-$term}"
        params={{ term }}
        className={button.button}
        aria-label={format(texts.searchFor, { term })}
      >
        <IconSearch size={16} aria-hidden />
        {texts.search}
      </Link>
    </div>
  )
}
