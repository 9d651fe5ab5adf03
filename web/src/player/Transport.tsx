import {
  IconArrowsShuffle,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconRepeatOnce,
  IconVolume,
  IconVolume2,
  IconVolumeOff,
} from '@tabler/icons-react'
import { IconButton } from '../ui/IconButton.tsx'
import { playerActions, usePlayer } from './store.ts'
import css from './Transport.module.css'
import * as texts from './texts.ts'

/** Shuffle, previous, play or pause, next, repeat one. A narrow bar shows fewer of them. */
export function Transport({ size = 'bar' }: { size?: 'bar' | 'sheet' }) {
  const shuffle = usePlayer((state) => state.shuffle)
  const repeatOne = usePlayer((state) => state.repeatOne)
  return (
    <div className={css.transport} data-size={size}>
      <IconButton
        label={texts.shuffle}
        shortcut="S"
        aria-pressed={shuffle}
        data-show-from="wide"
        onClick={playerActions.toggleShuffle}
      >
        <IconArrowsShuffle size={18} />
      </IconButton>
      <IconButton
        label={texts.previousSong}
        shortcut={texts.previousShortcut}
        data-show-from="medium"
        onClick={playerActions.previous}
      >
        <IconPlayerSkipBackFilled size={18} />
      </IconButton>
      <PlayButton />
      <IconButton label={texts.nextSong} shortcut={texts.nextShortcut} onClick={playerActions.next}>
        <IconPlayerSkipForwardFilled size={18} />
      </IconButton>
      <IconButton
        label={texts.repeatOne}
        shortcut="R"
        aria-pressed={repeatOne}
        data-show-from="wide"
        onClick={playerActions.toggleRepeatOne}
      >
        <IconRepeatOnce size={18} />
      </IconButton>
    </div>
  )
}

function PlayButton() {
  const playing = usePlayer((state) => state.playing)
  const waiting = usePlayer((state) => state.waiting)
  return (
    <button
      type="button"
      className={css.play}
      aria-label={playing ? texts.pause : texts.play}
      title={playing ? texts.pauseShortcut : texts.playShortcut}
      data-waiting={waiting || undefined}
      onClick={playerActions.toggle}
    >
      {playing ? <IconPlayerPauseFilled size={20} /> : <IconPlayerPlayFilled size={20} />}
    </button>
  )
}

/** Mute and the volume slider, 0 to 1 in steps of 0.1. */
export function Volume() {
  const muted = usePlayer((state) => state.muted)
  const volume = usePlayer((state) => state.volume)
  const audibleVolume = muted ? 0 : volume
  const Icon = audibleVolume === 0 ? IconVolumeOff : audibleVolume < 0.5 ? IconVolume2 : IconVolume
  return (
    <div className={css.volume}>
      <IconButton label={muted ? texts.unmute : texts.mute} shortcut="M" onClick={playerActions.toggleMute}>
        <Icon size={19} />
      </IconButton>
      <input
        type="range"
        aria-label={texts.volume}
        aria-valuetext={`${Math.round(audibleVolume * 100)}%`}
        title={texts.volumeTooltip}
        min={0}
        max={1}
        step={0.1}
        value={audibleVolume}
        onChange={(event) => playerActions.setVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}
