import type { catalogue, ownLibrary } from '@dubplate/contract'
import { IconArrowBackUp, IconSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { Candidate } from './Candidate.tsx'
import css from './Matches.module.css'
import { SongFacts } from './SongFacts.tsx'
import * as texts from './texts.ts'

const ChooseSong = lazyOnDemand(() => import('./ChooseSong.tsx').then((code) => code.ChooseSong))

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

function Candidates({ match, songs, actions }: Props) {
  const found = match.candidates.flatMap((candidate) => {
    const song = songs.get(candidate.entity_id)
    return song ? { ...candidate, song } : []
  })
  const [isChoosing, setChoosing] = useState(false)
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
      <div className={css.otherwise}>
        <Button
          aria-label={format(texts.labelFor, { label: rejectLabel, title: titleOf(match) })}
          onClick={() => actions.reject(match)}
        >
          <IconX size={16} aria-hidden />
          {rejectLabel}
        </Button>
        <ChooseButton match={match} isOpen={isChoosing} onClick={() => setChoosing(!isChoosing)} />
      </div>
      {isChoosing && <Choice match={match} actions={actions} onClose={() => setChoosing(false)} />}
    </div>
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
  const version = song?.version.find(({ song_version_id }) => song_version_id === match.song_version_id)
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
  const [isChoosing, setChoosing] = useState(false)
  const isRejected = match.decision === 'rejected'
  return (
    <div className={css.candidates}>
      <p>{isRejected ? texts.rejectedByYou : texts.notInThePool}</p>
      <div className={css.otherwise}>
        {isRejected && <UndoButton match={match} actions={actions} />}
        <ChooseButton match={match} isOpen={isChoosing} onClick={() => setChoosing(!isChoosing)} />
      </div>
      {isChoosing && <Choice match={match} actions={actions} onClose={() => setChoosing(false)} />}
    </div>
  )
}

type ChooseButtonProps = { match: Match; isOpen: boolean; onClick: () => void }

const ChooseButton = ({ match, isOpen, onClick }: ChooseButtonProps) => (
  <Button
    aria-label={format(texts.labelFor, { label: texts.chooseSong, title: titleOf(match) })}
    aria-expanded={isOpen}
    onClick={onClick}
  >
    <IconSearch size={16} aria-hidden />
    {texts.chooseSong}
  </Button>
)

/** What to search the pool for, at first. */
const termOf = ({ artist, title, file_name }: Match) =>
  (title ? `${artist} ${title}` : file_name.replace(/\.[^.]+$/, '')).trim()

type ChoiceProps = Omit<Props, 'songs'> & { onClose: () => void }

const Choice = ({ match, actions, onClose }: ChoiceProps) => (
  <ChooseSong
    label={format(texts.songForTitle, { title: titleOf(match) })}
    term={termOf(match)}
    onConfirm={(song, versionId) => actions.confirm(match, song, versionId)}
    onClose={onClose}
  />
)
