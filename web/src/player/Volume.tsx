import { IconVolume, IconVolume2, IconVolumeOff } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { IconButton } from '../ui/IconButton.tsx'
import { playerActions, usePlayer } from './store.ts'
import * as texts from './texts.ts'
import css from './Volume.module.css'

/** Mute and the volume slider, 0 to 1 in steps of 0.1. */
export function Volume() {
  const muted = usePlayer((state) => state.muted)
  const volume = usePlayer((state) => state.volume)
  const heard = muted ? 0 : volume
  return (
    <div className={css.volume}>
      <IconButton label={muted ? 'Unmute' : 'Mute'} shortcut="M" onClick={playerActions.toggleMute}>
        <Loudspeaker heard={heard} />
      </IconButton>
      <input
        type="range"
        className={css.slider}
        aria-label={texts.volume}
        aria-valuetext={`${Math.round(heard * 100)}%`}
        title={texts.volume2}
        min={0}
        max={1}
        step={0.1}
        value={heard}
        style={{ '--volume': heard } as CSSProperties}
        onChange={(event) => playerActions.setVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}

function Loudspeaker({ heard }: { heard: number }) {
  if (heard === 0) return <IconVolumeOff size={19} />
  return heard < 0.5 ? <IconVolume2 size={19} /> : <IconVolume size={19} />
}
