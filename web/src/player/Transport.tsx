import {
  IconArrowsShuffle,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
  IconRepeatOnce,
} from '@tabler/icons-react'
import { IconButton } from '../ui/IconButton.tsx'
import { currentEntry, playerActions, usePlayer } from './store.ts'
import css from './Transport.module.css'
import * as texts from './texts.ts'

/** Shuffle, previous, play or pause, next, repeat one. The bar of a phone shows only play and next. */
export function Transport({ size = 'bar' }: { size?: 'bar' | 'sheet' }) {
  const empty = usePlayer((state) => !currentEntry(state))
  const shuffle = usePlayer((state) => state.shuffle)
  const repeatOne = usePlayer((state) => state.repeatOne)
  return (
    <div className={css.transport} data-size={size}>
      <IconButton
        className={css.wide}
        label={texts.shuffle}
        shortcut="S"
        aria-pressed={shuffle}
        onClick={playerActions.toggleShuffle}
      >
        <IconArrowsShuffle size={18} />
      </IconButton>
      <IconButton
        className={css.wide}
        label={texts.previousSong}
        shortcut={texts.previousShortcut}
        disabled={empty}
        onClick={playerActions.previous}
      >
        <IconPlayerSkipBackFilled size={18} />
      </IconButton>
      <PlayButton disabled={empty} />
      <IconButton label={texts.nextSong} shortcut={texts.nextShortcut} disabled={empty} onClick={playerActions.next}>
        <IconPlayerSkipForwardFilled size={18} />
      </IconButton>
      <IconButton
        className={css.wide}
        label={texts.repeatOne}
        shortcut="R"
        aria-pressed={repeatOne}
        onClick={playerActions.toggleRepeatOne}
      >
        <IconRepeatOnce size={18} />
      </IconButton>
    </div>
  )
}

function PlayButton({ disabled }: { disabled: boolean }) {
  const playing = usePlayer((state) => state.playing)
  const waiting = usePlayer((state) => state.waiting)
  return (
    <button
      type="button"
      className={css.play}
      aria-label={playing ? texts.pause : texts.play}
      title={playing ? texts.pauseShortcut : texts.playShortcut}
      disabled={disabled}
      data-waiting={waiting || undefined}
      onClick={playerActions.toggle}
    >
      {playing ? <IconPlayerPauseFilled size={20} /> : <IconPlayerPlayFilled size={20} />}
    </button>
  )
}
