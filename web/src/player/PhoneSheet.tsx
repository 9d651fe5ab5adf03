import { IconChevronDown, IconPlaylist } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { format } from '../format/message.ts'
import { imageAt } from '../platform/media.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { soundDuration, soundPosition } from './audio.ts'
import { beatsBetween } from './beatGrid.ts'
import { Clock } from './Clock.tsx'
import { drawBeats, drawPeaks } from './drawPeaks.ts'
import { KeepButtons, SongFacts, SongLinks } from './NowPlaying.tsx'
import css from './PhoneSheet.module.css'
import { QueueList } from './Queue.tsx'
import type { Entry } from './queue.ts'
import { playerActions, usePlayer } from './store.ts'
import { Transport, Volume } from './Transport.tsx'
import * as texts from './texts.ts'
import { useAudioPosition } from './useAudioPosition.ts'
import { useCurrentBeatGrid } from './useBeatGrid.ts'
import waveform from './Waveform.module.css'
import { useCurrentPeaks, Waveform } from './Waveform.tsx'

/** The seconds around the position that the zoomed waveform shows. */
const ZOOMED_SECONDS = 9

/**
 * The whole player on a phone. A modal dialog is above the tabs wherever it is rendered; Escape and the back gesture
 * close it.
 */
export function PhoneSheet({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const queue = useRef<HTMLElement>(null)
  const source = usePlayer((state) => state.source)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={css.sheet} aria-label={texts.player} onClose={onClose}>
      <header className={css.sheetHead}>
        <IconButton label={texts.closePlayer} onClick={() => dialog.current?.close()}>
          <IconChevronDown size={24} />
        </IconButton>
        <span>{source && format(texts.playingFrom, { source })}</span>
        <IconButton label={texts.queue} onClick={() => queue.current?.scrollIntoView({ behavior: 'smooth' })}>
          <IconPlaylist size={22} />
        </IconButton>
      </header>
      <img className={css.sheetCover} src={imageAt(entry.song.image, 640)} width={320} height={320} alt="" />
      <div className={css.song}>
        <div className={css.meta}>
          <SongLinks entry={entry} onFollow={() => dialog.current?.close()} />
          <SongFacts entry={entry} />
        </div>
        <KeepButtons entry={entry} />
      </div>
      <Versions entry={entry} />
      <ZoomedWaveform />
      <Waveform height_px={52} />
      <Clock inline />
      <Transport size="sheet" />
      <Volume />
      <section ref={queue} aria-label={texts.queue}>
        <QueueList />
      </section>
    </dialog>
  )
}

/** The versions of the song; a tap plays one in the place of the current one. */
const Versions = ({ entry: { song, version } }: { entry: Entry }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, and cannot scroll sideways everywhere
  <div role="group" className={css.versions} aria-label={texts.versions}>
    {song.version.map((each) => (
      <button
        key={each.song_version_id}
        type="button"
        disabled={!each.available}
        aria-pressed={each.song_version_id === version.song_version_id}
        onClick={() => playerActions.playVersion(each)}
      >
        {each.version_label}
      </button>
    ))}
  </div>
)

/** The seconds around the position. Drawn again on every frame while it plays. */
function ZoomedWaveform() {
  const canvas = useRef<HTMLCanvasElement>(null)
  const peaks = useCurrentPeaks()
  const grid = useCurrentBeatGrid(peaks !== undefined)
  useAudioPosition(
    () => {
      if (!canvas.current || !peaks || !soundDuration()) return
      // From one frame to the next it moves by whole bars: otherwise each bar would flicker.
      const barSeconds = ZOOMED_SECONDS / canvas.current.clientWidth
      const from_seconds = Math.round((soundPosition() - ZOOMED_SECONDS / 2) / barSeconds) * barSeconds
      const to_seconds = from_seconds + ZOOMED_SECONDS
      drawPeaks(canvas.current, peaks, { from: from_seconds / soundDuration(), to: to_seconds / soundDuration() })
      if (grid) drawBeats(canvas.current, beatsBetween(grid, from_seconds, to_seconds), { from_seconds, to_seconds })
    },
    { smoothly: true },
  )
  return (
    <div className={css.zoomed} aria-hidden>
      <canvas ref={canvas} />
      <i className={waveform.cursor} />
    </div>
  )
}
