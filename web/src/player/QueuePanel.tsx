import { IconPlaylist } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { format } from '../format/message.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './QueuePanel.module.css'
import { closeQueuePanel, toggleQueuePanel, useQueuePanel } from './queue-panel.ts'
import { usePlayer } from './store.ts'
import * as texts from './texts.ts'

const QueueDialog = lazyOnDemand(() => import('./QueueDialog.tsx').then(({ QueueDialog }) => QueueDialog))

/** The button with the count, and the queue above it. It stays open while music plays and pages change. */
export function QueuePanel() {
  const count = usePlayer((state) => state.queue.length)
  const open = useQueuePanel((state) => state.open)
  const panelRef = useRef<HTMLDivElement>(null)
  useCloseOnOutsideClick(panelRef, open)
  return (
    <div ref={panelRef}>
      <IconButton
        className={css.button}
        label={format(texts.queueWithCount, { count })}
        shortcut="Q"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={toggleQueuePanel}
        data-testid="queue"
        data-takes="queue"
      >
        <IconPlaylist size={19} />
        {count > 0 && <span className={css.count}>{count}</span>}
      </IconButton>
      {open && <QueueDialog />}
    </div>
  )
}

/** A click outside closes the queue; the player and dialogs over the page do not count as outside. */
const useCloseOnOutsideClick = (panelRef: React.RefObject<HTMLElement | null>, open: boolean) => {
  useEffect(() => {
    if (!open) return
    const handlePointerDown = ({ target }: PointerEvent) => {
      const player = panelRef.current?.closest('section')
      if (target instanceof Node && target.isConnected && !player?.contains(target)) closeQueuePanel()
    }
    document.addEventListener('pointerdown', handlePointerDown)
    return () => document.removeEventListener('pointerdown', handlePointerDown)
  }, [panelRef, open])
}
