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
  const audibleVolume = muted ? 0 : volume
  return (
    <div className={css.volume}>
      <IconButton label={muted ? texts.unmute : texts.mute} shortcut="M" onClick={playerActions.toggleMute}>
        <VolumeIcon heard={audibleVolume} />
      </IconButton>
      <input
        type="range"
        className={css.slider}
        aria-label={texts.volume}
        aria-valuetext={`${Math.round(audibleVolume * 100)}%`}
        title={texts.volumeTooltip}
        min={0}
        max={1}
        step={0.1}
        value={audibleVolume}
        style={{ '--volume': audibleVolume } as CSSProperties}
        onChange={(event) => playerActions.setVolume(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}

function VolumeIcon({ heard: audibleVolume }: { heard: number }) {
  if (audibleVolume === 0) return <IconVolumeOff size={19} />
  return audibleVolume < 0.5 ? <IconVolume2 size={19} /> : <IconVolume size={19} />
}
