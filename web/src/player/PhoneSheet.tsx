import { IconChevronDown } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { imageAt } from '../platform/media.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Clock } from './Clock.tsx'
import { KeepButtons } from './KeepButtons.tsx'
import { SongLinks, Tags } from './NowPlaying.tsx'
import css from './PhoneSheet.module.css'
import { QueueList } from './QueueList.tsx'
import type { Entry } from './queue.ts'
import { Transport } from './Transport.tsx'
import * as texts from './texts.ts'
import { Volume } from './Volume.tsx'
import { Waveform } from './Waveform.tsx'

/** The whole player on a phone. A native dialog: Escape and the back gesture close it. */
export function PhoneSheet({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={css.sheet} aria-label={texts.player} onClose={onClose}>
      <IconButton className={css.close} label={texts.closePlayer} onClick={() => dialog.current?.close()}>
        <IconChevronDown size={24} />
      </IconButton>
      <img className={css.cover} src={imageAt(entry.song.image, 640)} width={320} height={320} alt="" />
      <div className={css.what}>
        <div className={css.names}>
          <SongLinks entry={entry} onFollow={() => dialog.current?.close()} />
          <Tags entry={entry} />
        </div>
        <KeepButtons entry={entry} />
      </div>
      <Waveform height_px={80} />
      <Clock inline />
      <Transport size="sheet" />
      <Volume />
      <section className={css.queue} aria-label={texts.queue}>
        <QueueList />
      </section>
    </dialog>
  )
}
