import {
  IconBasket,
  IconDownload,
  IconHeart,
  IconPlayerPlayFilled,
  IconPlaylist,
  IconPlaylistAdd,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { rich } from '../format/message.ts'
import { addToCrate, addToFavourites } from '../library/bulkAdd.ts'
import { choosePlaylist } from '../library/playlistChoice.ts'
import { enqueue } from '../library/playPlaylist.ts'
import { toQueueEntries } from '../player/queue.ts'
import { playerActions } from '../player/store.ts'
import { SeveralDownloads } from './DownloadProgress.tsx'
import css from './RowSelectionBar.module.css'
import { clearSelection, songsOf, useRowSelection } from './rowSelection.ts'
import * as texts from './texts.ts'

/** Elements in which Escape has another meaning. */
const ESCAPE_HANDLERS = 'input:not([type=checkbox]),textarea,select,dialog,[role=dialog],[role=menu],[role=listbox]'

function useEscape() {
  useEffect(() => {
    const handleEscape = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest(ESCAPE_HANDLERS)
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) clearSelection()
    }
    addEventListener('keydown', handleEscape)
    return () => removeEventListener('keydown', handleEscape)
  }, [])
}

/**
 * The first click of a double click selects its row and opens the bar, perhaps over that row. The bar ignores the mouse
 * for half a second, but a second click may come later: on a slow machine, or where the system allows slow double
 * clicks. The click is then passed on to the row.
 */
function useDoubleClicksOnRows(bar: RefObject<HTMLElement | null>) {
  useEffect(() => {
    let isFirstClickOutside = true
    const swallowSecondClick = (event: MouseEvent) => {
      const { target, detail } = event
      // When pressed on the row and released on the bar, the click goes to their common ancestor.
      const isHere = target instanceof Node && (bar.current?.contains(target) || target.contains(bar.current))
      if (detail === 1) isFirstClickOutside = !isHere
      if (detail !== 2 || !isHere || !isFirstClickOutside) return
      event.preventDefault()
      event.stopPropagation()
      const { ids, anchor } = useRowSelection.getState()
      if (ids.size === 1) findRow(anchor)?.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
    }
    document.addEventListener('click', swallowSecondClick, { capture: true })
    return () => document.removeEventListener('click', swallowSecondClick, { capture: true })
  }, [bar])
}

const findRow = (songId: number | undefined) => document.querySelector<HTMLElement>(`[data-song="${songId}"]`)

/** The actions for the selected songs, in a bar above the player that reserves its own space. */
export function RowSelectionBar() {
  useEscape()
  const main = document.getElementById('main')
  return main && createPortal(<SelectionBar />, main)
}

/** Clears the selection and returns the focus to where it was made. */
function clearAndFocus() {
  const { anchor } = useRowSelection.getState()
  clearSelection()
  findRow(anchor)?.focus({ preventScroll: true })
}

function SelectionBar() {
  const selection = useRowSelection()
  const bar = useRef<HTMLElement>(null)
  useDoubleClicksOnRows(bar)
  const [isDownloading, setDownloading] = useState(false)
  const endDownloads = useCallback(() => {
    setDownloading(false)
    bar.current?.focus({ preventScroll: true })
  }, [])
  const songs = songsOf(selection)
  const owner = selection.list?.owner
  const entries = toQueueEntries(songs, owner?.playlist_id)
  return (
    <section ref={bar} className={css.bar} tabIndex={-1} aria-label={texts.selectedSongs} data-selection-bar>
      <p className={`${css.count} num`} aria-live="polite">
        {rich(texts.songsSelected, { count: songs.length, label: (inside) => <span>{inside}</span> })}
      </p>
      {isDownloading ? (
        <SeveralDownloads songs={songs} onEnd={endDownloads} />
      ) : (
        <>
          <div className={css.actions}>
            <Action
              text={texts.play}
              icon={<IconPlayerPlayFilled size={16} />}
              run={() => playerActions.playAll(entries)}
            />
            <Action text={texts.addToQueue} icon={<IconPlaylistAdd size={17} />} run={() => enqueue(entries)} />
            <Action text={texts.addToCrate} icon={<IconBasket size={17} />} run={() => void addToCrate(songs)} />
            <Action text={texts.addToPlaylist} icon={<IconPlaylist size={17} />} run={() => choosePlaylist(songs)} />
            <Action
              text={texts.addToFavourites}
              icon={<IconHeart size={17} />}
              run={() => void addToFavourites(songs)}
            />
            <Action text={texts.download} icon={<IconDownload size={17} />} run={() => setDownloading(true)} />
            {owner?.selectionActions?.map(({ text, icon, run }) => (
              <Action key={text} text={text} icon={icon} run={() => run(songs)} />
            ))}
          </div>
          <Action text={texts.clearSelection} icon={<IconX size={17} />} run={clearAndFocus} isLinkStyle />
        </>
      )}
    </section>
  )
}

type ActionProps = { text: string; icon: ReactNode; run: () => void; isLinkStyle?: boolean }

const Action = ({ text, icon, run, isLinkStyle = false }: ActionProps) => (
  <button type="button" className={css.action} title={text} data-plain={isLinkStyle || undefined} onClick={run}>
    {icon}
    <span className={isLinkStyle ? 'sr' : css.text}>{text}</span>
  </button>
)
