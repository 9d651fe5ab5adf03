import { site } from '@dubplate/contract'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ask } from '../platform/api.ts'
import { useAsk } from '../platform/queries.ts'
import { IconButton } from '../ui/IconButton.tsx'
import css from './Announcements.module.css'
import { expectsAny, hiddenHere, hideHere, rememberAny } from './announcementMemory.ts'
import { Html } from './Html.tsx'

type Props = { page: 'mp3_home' | 'mp3_chart' | 'mp3_latest' }

/**
 * The announcements of a page, one at a time: hiding one brings the next. Room is kept for it while it is on its way,
 * unless there was none the last time, so that nothing jumps.
 */
export function Announcements({ page }: Props) {
  const { data, isPending } = useAsk(site.getAnnouncements, { page_name: page })
  const [hidden, setHidden] = useState(hiddenHere)
  if (isPending) return expectsAny(page) ? <div className={css.room} /> : null
  const shown = (data?.announcements ?? []).filter(({ message_id }) => !hidden.includes(message_id))
  if (data) rememberAny(page, shown.length > 0)
  const hide = (message_id: number) => {
    setHidden(hideHere(message_id))
    // The browser remembers it whatever the server says; a member's other devices learn it from the server.
    void ask(site.hideAnnouncement, { message_id, page_name: page }).catch(() => undefined)
  }
  const [first] = shown
  if (!first) return null
  return (
    <div className={css.note} role="note">
      <span className={css.pill}>New</span>
      <Words key={first.message_id} html={first.message} />
      {shown.length > 1 && <span className={`${css.count} num`}>1 of {shown.length}</span>}
      <IconButton label="Hide this announcement" className={css.hide} onClick={() => hide(first.message_id)}>
        <IconX size={16} />
      </IconButton>
    </div>
  )
}

/** On a phone two lines, so that what is below stays where it is; the rest when it is asked for. */
function Words({ html }: { html: string }) {
  const text = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    const box = text.current
    if (!box) return
    const observer = new ResizeObserver(() => setCut(box.scrollHeight > box.clientHeight + 1))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <div ref={text} className={css.text} data-whole={isWhole || undefined}>
        <Html html={html} />
      </div>
      {isCut && (
        <button type="button" className={css.more} onClick={() => setWhole(true)}>
          More
        </button>
      )}
    </>
  )
}
