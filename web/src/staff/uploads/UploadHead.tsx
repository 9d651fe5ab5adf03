import type { review } from '@dubplate/contract'
import { IconChevronDown, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { formatBpmRange, formatExactDate } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { toastError } from '../../ui/toast.ts'
import { pausePreview, playPreview, usePreview } from '../../uploads/preview.ts'
import { readAgain } from './decideUploads.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'
import { startOfSlot } from './UploadVersion.tsx'
import { decisionsOn } from './uploadStates.ts'

type HeadProps = {
  song: review.ReviewedUpload
  /** The whole song, once it is loaded. */
  whole: review.ReviewedSong | undefined
  isOpen: boolean
  isSelected: boolean
  onOpen: () => void
  onSelect: () => void
}

/** The head of a song's card, open or closed: plays, selects and opens the song. */
export function UploadHead({ song, whole, isOpen, isSelected, onOpen, onSelect }: HeadProps) {
  const { title, artist, status, is_edit, is_listed, listed_entity_id, search_version_term, song_key } = song
  return (
    <header className={css.head}>
      {decisionsOn(status).length > 0 && (
        <label className={css.tick}>
          <input type="checkbox" data-key="x" checked={isSelected} onChange={onSelect} />
          <span className="sr">{format(texts.select, { title })}</span>
        </label>
      )}
      <HearSong song={song} whole={whole} />
      <div className={css.what}>
        <h2>{title}</h2>
        <p>{artist}</p>
        <p className={css.labels}>
          {search_version_term || texts.noVersionsYet}
          {is_edit && status === 'in_review' && <mark>{texts.editToAPublishedSong}</mark>}
          {is_listed && listed_entity_id !== null && (
            <Link to="/song/$entityId" params={{ entityId: listed_entity_id }} data-key="o">
              {texts.published}
            </Link>
          )}
        </p>
      </div>
      <div className={`${css.figures} num`}>
        {formatBpmRange(song.min_bpm, song.max_bpm)}
        <KeyBadge songKey={song_key} />
      </div>
      <Who song={song} />
      <IconButton
        className={css.unfold}
        label={isOpen ? format(texts.collapse, { title }) : format(texts.expand, { title })}
        shortcut={texts.enter}
        aria-expanded={isOpen}
        data-key="Enter"
        onClick={onOpen}
      >
        <IconChevronDown size={18} />
      </IconButton>
    </header>
  )
}

function Who({ song: { uploader, submitted_at, created_at } }: { song: review.ReviewedUpload }) {
  const now = useCurrentMinute()
  const at = submitted_at ?? created_at
  return (
    <p className={css.who}>
      {uploader.dj_name}
      <time dateTime={at} title={formatExactDate(at)}>
        {formatTimeAgo(at, now)}
      </time>
    </p>
  )
}

/** Plays the first playable version from its preview start; pauses when the song is already playing. */
function HearSong({ song, whole }: { song: review.ReviewedUpload; whole: review.ReviewedSong | undefined }) {
  const playing = usePreview(({ isPlaying, upload_id }) => (isPlaying ? upload_id : undefined))
  const isPlaying = whole?.versions.some(({ file }) => file.upload_id === playing) ?? false
  const start = async () => {
    try {
      const { versions } = whole ?? (await readAgain(song.entity_id))
      const first = versions.find(({ file }) => file.mp3)
      if (!first) throw new Error(texts.noPlayableFileYetThe)
      playPreview(first.file, startOfSlot(first))
    } catch (error) {
      void toastError(format(texts.couldntPlay, { title: song.title }), error)
    }
  }
  return (
    <IconButton
      className={css.hear}
      label={
        isPlaying
          ? format(texts.pauseSongLabel, { title: song.title })
          : format(texts.playSongLabel, { title: song.title })
      }
      shortcut="P"
      data-key="p"
      onClick={() => (isPlaying ? pausePreview() : void start())}
    >
      {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
    </IconButton>
  )
}
