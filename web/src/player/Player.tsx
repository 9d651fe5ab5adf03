import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { Clock } from './Clock.tsx'
import { NowPlaying } from './NowPlaying.tsx'
import css from './Player.module.css'
import { QueuePanel } from './QueuePanel.tsx'
import { currentEntry, usePlayer } from './store.ts'
import { Transport } from './Transport.tsx'
import * as texts from './texts.ts'
import { Volume } from './Volume.tsx'
import { Waveform } from './Waveform.tsx'

const PhoneSheet = lazyOnDemand(() => import('./PhoneSheet.tsx').then(({ PhoneSheet }) => PhoneSheet))

/** Loaded after the first render. If that fails, the browser's own play and pause keys still work. */
const loadMediaSession = () => {
  import('./media-session.ts').then(
    ({ installMediaSession }) => installMediaSession(),
    () => undefined,
  )
}

/** The player bar at the bottom of every page. The shell mounts it once, and it stays mounted when the page changes. */
export function Player() {
  const entry = usePlayer(currentEntry)
  const phone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const [isSheetOpen, setSheetOpen] = useState(false)
  useEffect(loadMediaSession, [])
  return (
    <section className={css.player} aria-label={texts.player}>
      <NowPlaying entry={entry} onOpen={() => setSheetOpen(true)} />
      <Transport />
      <div className={css.wave}>
        <Waveform height_px={phone ? 32 : 80} />
      </div>
      <div className={css.clock}>
        <Clock />
      </div>
      <div className={css.right}>
        <div className={css.volume}>
          <Volume />
        </div>
        <QueuePanel />
      </div>
      <PlayerError />
      {isSheetOpen && phone && entry && <PhoneSheet entry={entry} onClose={() => setSheetOpen(false)} />}
    </section>
  )
}

/** Explains why there is no sound. */
function PlayerError() {
  const error = usePlayer((state) => state.error)
  return (
    <div role="alert" className={css.error}>
      {error && <p>{error}</p>}
    </div>
  )
}
