import { useMediaQuery } from '@mantine/hooks'
import { IconPlaylist } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { imageAt } from '../platform/media.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { soundDuration, soundPosition } from './audio.ts'
import { followOtherTabs } from './blend/otherTabs.ts'
import { Clock } from './Clock.tsx'
import { installMediaSession } from './media-session.ts'
import { KeepButtons, SongFacts, SongLinks } from './NowPlaying.tsx'
import css from './PlayerBar.module.css'
import { prepareNextSongs } from './prepareNext.ts'
import { currentEntry, type Entry, playerActions, usePlayer } from './store.ts'
import { Transport, Volume } from './Transport.tsx'
import * as texts from './texts.ts'
import { useAudioPosition } from './useAudioPosition.ts'
import { Waveform } from './Waveform.tsx'

const PhoneSheet = lazyOnDemand(() => import('./PhoneSheet.tsx').then(({ PhoneSheet }) => PhoneSheet))
const QueueDialog = lazyOnDemand(() => import('./Queue.tsx').then(({ QueueDialog }) => QueueDialog))

/** The player at the bottom of every page; on phones a strip that opens the whole player. */
export function PlayerBar() {
  const entry = usePlayer(currentEntry)
  const isPhone = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false })
  const isQueueOpen = usePlayer((state) => state.isQueueOpen)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const bar = useRef<HTMLElement>(null)
  useEffect(installMediaSession, [])
  useEffect(followOtherTabs, [])
  useEffect(prepareNextSongs, [])
  useCloseQueueOnOutsideClick(bar, isQueueOpen)
  if (!entry) return null
  return (
    <section ref={bar} className={css.player} aria-label={texts.player}>
      {isPhone && <Progress />}
      <CurrentSong entry={entry} isPhone={isPhone} onOpen={() => setSheetOpen(true)} />
      <Transport />
      {!isPhone && (
        <>
          <Waveform height_px={52} />
          <Clock />
          <div className={css.end}>
            <Volume />
            <QueueButton />
          </div>
        </>
      )}
      <PlayerError />
      {isQueueOpen && <QueueDialog />}
      {isSheetOpen && isPhone && <PhoneSheet entry={entry} onClose={() => setSheetOpen(false)} />}
    </section>
  )
}

type CurrentSongProps = { entry: Entry; isPhone: boolean; onOpen: () => void }

const CurrentSong = ({ entry, isPhone, onOpen }: CurrentSongProps) => (
  <div className={css.song}>
    <img key={entry.song.image} src={imageAt(entry.song.image, 320)} alt="" width={64} height={64} />
    <div className={css.meta}>
      <SongLinks entry={entry} />
      <SongFacts entry={entry} />
    </div>
    {isPhone ? (
      <button
        type="button"
        className={css.open}
        aria-label={format(texts.openPlayer, { title: entry.song.title })}
        onClick={onOpen}
      />
    ) : (
      <div className={css.keep}>
        <KeepButtons key={entry.version.song_version_id} entry={entry} />
      </div>
    )}
  </div>
)

/** The position as a line on the upper edge of the strip. */
function Progress() {
  const line = useRef<HTMLDivElement>(null)
  useAudioPosition(
    () => line.current?.style.setProperty('scale', `${Math.min(1, soundPosition() / (soundDuration() || 1))} 1`),
    { smoothly: true },
  )
  return <div ref={line} className={css.progress} aria-hidden />
}

/** Opens the queue; shows how many songs were added to it. */
function QueueButton() {
  const count = usePlayer((state) => state.added.length)
  const isOpen = usePlayer((state) => state.isQueueOpen)
  return (
    <IconButton
      className={css.queueButton}
      label={count > 0 ? format(texts.queueWithCount, { count }) : texts.queue}
      shortcut="Q"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={playerActions.toggleQueue}
      data-testid="queue"
      data-takes="queue"
    >
      <IconPlaylist size={19} />
      {count > 0 && <span className={css.count}>{count}</span>}
    </IconButton>
  )
}

/** A click outside closes the queue; the player and dialogs over the page do not count as outside. */
const useCloseQueueOnOutsideClick = (bar: RefObject<HTMLElement | null>, isOpen: boolean) => {
  useEffect(() => {
    if (!isOpen) return
    const handlePointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && target.isConnected && !bar.current?.contains(target)) playerActions.toggleQueue()
    }
    document.addEventListener('pointerdown', handlePointerDown)
    return () => document.removeEventListener('pointerdown', handlePointerDown)
  }, [bar, isOpen])
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
