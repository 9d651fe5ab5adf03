import type { catalogue } from '@dubplate/contract'
import {
  IconBasketPlus,
  IconHeart,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerTrackNextFilled,
  IconVolumeOff,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { artistLink, labelLink } from '../catalogue/addresses.ts'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { tempoOf } from '../catalogue/versionTempo.ts'
import { formatBpmRange } from '../format/format.ts'
import { format } from '../format/message.ts'
import { OwnedMark } from '../ownLibrary/OwnedMark.tsx'
import { useOwned } from '../ownLibrary/owned.ts'
import { imageAt } from '../platform/media.ts'
import { Clock } from '../player/Clock.tsx'
import { playerActions, usePlayer } from '../player/store.ts'
import { Waveform } from '../player/Waveform.tsx'
import actions from './DigActions.module.css'
import css from './DigSongView.module.css'
import { type DigAction, type DigSong, idOf } from './digState.ts'
import { structureOf, useIsPlaying } from './playback.ts'
import * as texts from './texts.ts'
import { useSwipe } from './useSwipe.ts'

type Props = {
  song: DigSong
  version: catalogue.Version | undefined
  onChooseVersion: (at: number) => void
  onDecide: (action: DigAction) => void
  onJumpToDrop: () => void
}

/** One song: cover, facts and waveform, and the buttons to decide. */
export function DigSongView({ song, version, onChooseVersion, onDecide, onJumpToDrop }: Props) {
  const error = usePlayer((state) => state.error)
  const swipe = useSwipe(onDecide)
  return (
    <div className={css.song}>
      <article className={css.card} aria-label={song.song.title} {...swipe}>
        <img
          className={css.cover}
          src={imageAt(song.song.image, 640)}
          width={640}
          height={640}
          alt=""
          draggable={false}
        />
        <SwipeMark action="skip">{texts.skip}</SwipeMark>
        <SwipeMark action="crate">{texts.addToCrate}</SwipeMark>
        <SwipeMark action="favourite">{texts.favourite}</SwipeMark>
        <Facts song={song} version={version} />
      </article>
      <Versions song={song} version={version} onChoose={onChooseVersion} />
      <div className={css.sound}>
        <PlayButton songId={idOf(song)} />
        <div className={css.wave}>
          <Waveform height_px={64} />
          <div className={css.times}>
            <Clock inline />
            <button
              type="button"
              className={css.drop}
              disabled={!version || structureOf(song, version)?.drop_seconds == null}
              title={version && structureOf(song, version)?.drop_seconds == null ? texts.noDrop : undefined}
              onClick={onJumpToDrop}
            >
              {texts.jumpToDrop} <kbd>D</kbd>
            </button>
          </div>
        </div>
      </div>
      <p role="alert" className={css.soundError}>
        {error}
      </p>
      <Actions onDecide={onDecide} />
    </div>
  )
}

/** Says what a swipe will do; shown while the card is moved. */
const SwipeMark = ({ action, children }: { action: DigAction; children: string }) => (
  <span className={css.mark} data-action={action} aria-hidden>
    {children}
  </span>
)

function Facts({ song: digSong, version }: Pick<Props, 'song' | 'version'>) {
  const { song } = digSong
  const { min_bpm, max_bpm, song_key } = version ? tempoOf(song, version) : song
  const isOwned = useOwned(({ songs }) => songs.has(song.entity_id))
  const energy = version && structureOf(digSong, version)?.energy
  return (
    <div className={css.about}>
      <Link to="/song/$entityId" params={{ entityId: song.entity_id }} className={css.title} title={song.title}>
        {song.title}
      </Link>
      <Link {...artistLink(song.artist)} className={css.artist} title={song.artist}>
        {song.artist}
      </Link>
      <ul className={css.facts}>
        {isOwned && (
          <li>
            <OwnedMark songId={song.entity_id} />
          </li>
        )}
        {min_bpm !== null && (
          <li className="num">{format(texts.bpmValue, { bpm: formatBpmRange(min_bpm, max_bpm) })}</li>
        )}
        <li>
          <KeyBadge songKey={song_key} />
        </li>
        {energy != null && <li className="num">{format(texts.energyValue, { energy })}</li>}
      </ul>
      <ul className={css.facts}>
        {song.genres.map(({ genre_id, name }) => (
          <li key={genre_id}>{name}</li>
        ))}
        {song.label && (
          <li className={css.label}>
            <Link {...labelLink(song.label)} title={song.label}>
              {song.label}
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}

type VersionsProps = Pick<Props, 'song' | 'version'> & { onChoose: (at: number) => void }

const Versions = ({ song: { song }, version, onChoose }: VersionsProps) => (
  <fieldset className={css.versions}>
    <legend className="sr">{texts.versions}</legend>
    {song.version.map(({ song_version_id, version_label, available }, at) => (
      <button
        key={song_version_id}
        type="button"
        aria-pressed={song_version_id === version?.song_version_id}
        disabled={!available}
        onClick={() => onChoose(at)}
      >
        {at < 9 && <kbd>{at + 1}</kbd>}
        {version_label}
      </button>
    ))}
  </fieldset>
)

function PlayButton({ songId }: { songId: number }) {
  const isPlaying = useIsPlaying(songId)
  const label = isPlaying ? texts.pause : texts.play
  return (
    <button type="button" className={css.play} aria-label={label} title={label} onClick={playerActions.toggle}>
      {isPlaying ? <IconPlayerPauseFilled size={24} /> : <IconPlayerPlayFilled size={24} />}
    </button>
  )
}

const ACTIONS: { action: DigAction; text: string; shortcut: string; icon: ReactNode }[] = [
  { action: 'never', text: texts.neverAgain, shortcut: 'X', icon: <IconVolumeOff size={22} /> },
  { action: 'skip', text: texts.skip, shortcut: '→', icon: <IconPlayerTrackNextFilled size={20} /> },
  { action: 'favourite', text: texts.favourite, shortcut: 'F', icon: <IconHeart size={22} /> },
  { action: 'crate', text: texts.addToCrate, shortcut: 'C', icon: <IconBasketPlus size={22} /> },
]

const Actions = ({ onDecide }: Pick<Props, 'onDecide'>) => (
  <div className={actions.actions}>
    {ACTIONS.map(({ action, text, shortcut, icon }) => (
      <button
        key={action}
        type="button"
        className={actions.action}
        data-action={action}
        onClick={() => onDecide(action)}
      >
        <span aria-hidden>{icon}</span>
        {text}
        <kbd aria-hidden>{shortcut}</kbd>
      </button>
    ))}
  </div>
)
