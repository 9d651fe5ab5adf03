import type { catalogue } from '@dubplate/contract'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import css from './Matches.module.css'
import { SongFacts } from './SongFacts.tsx'
import * as texts from './texts.ts'

type CandidateProps = {
  song: catalogue.Song
  foundVersionId: number | null
  /** 0 to 1; missing for a song that the member has searched for. */
  confidence?: number
  onConfirm: (songVersionId: number | null) => void
}

/** A song that a file may be: the member chooses the version and confirms it. */
export function Candidate({ song, foundVersionId, confidence, onConfirm }: CandidateProps) {
  const [versionId, setVersionId] = useState(foundVersionId)
  const version = song.version.find(({ song_version_id }) => song_version_id === versionId)
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
            {[
              version && formatDuration(version.duration_seconds),
              confidence !== undefined && format(texts.similarity, { percent: Math.round(confidence * 100) }),
            ]
              .filter(Boolean)
              .join(' · ')}
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
