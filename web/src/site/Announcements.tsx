import { type ReplyOf, site } from '@dubplate/contract'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { Html } from '../platform/Html.tsx'
import { apiQuery, queryClient, useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { IconButton } from '../ui/IconButton.tsx'
import css from './Announcements.module.css'
import {
  hideOnThisDevice,
  markReported,
  mayHaveAnnouncements,
  readHiddenIds,
  rememberHasAnnouncements,
} from './announcementMemory.ts'
import * as texts from './texts.ts'

type Reply = ReplyOf<typeof site.getAnnouncements>
type Props = { page: 'mp3_home' | 'mp3_chart' | 'mp3_latest' }

/**
 * The announcements of a page, one at a time: dismissing one shows the next. While they load, space is reserved unless
 * there was none the last time, so that nothing moves.
 */
export function Announcements({ page }: Props) {
  const { data, isPending } = useApiQuery(site.getAnnouncements, { page_name: page })
  const isMember = useSession(({ token }) => token !== null)
  const [hiddenNow, setHiddenNow] = useState<number[]>([])
  const hidden = [...hiddenNow, ...readHiddenIds(isMember)]
  const announcements = data?.announcements ?? []
  const visibleAnnouncements = announcements.filter(({ message_id }) => !hidden.includes(message_id))
  const unreported = announcements.filter(({ message_id }) => isMember && hidden.includes(message_id))
  useReportImpressions(
    page,
    unreported.map(({ message_id }) => message_id),
  )
  if (isPending) return mayHaveAnnouncements(page) ? <div className={css.room} /> : null
  if (data) rememberHasAnnouncements(page, visibleAnnouncements.length > 0)
  const hide = (message_id: number) => {
    hideOnThisDevice(message_id)
    setHiddenNow([...hiddenNow, message_id])
    // The focused button disappears with the last announcement.
    if (visibleAnnouncements.length === 1) document.getElementById('main')?.focus({ preventScroll: true })
  }
  const [first] = visibleAnnouncements
  if (!first) return null
  return <Announcement html={first.message} of={visibleAnnouncements.length} onHide={() => hide(first.message_id)} />
}

/**
 * Tells the server which announcements a member has dismissed: just now, offline, or before they signed in. Failed
 * requests are repeated the next time.
 */
function useReportImpressions(page: Props['page'], messageIds: number[]) {
  const ids = messageIds.join()
  useEffect(() => {
    for (const id of ids.split(',').filter(Boolean).map(Number)) reportImpressions(page, id).catch(() => undefined)
  }, [page, ids])
}

async function reportImpressions(page_name: Props['page'], message_id: number) {
  await callApi(site.hideAnnouncement, { message_id, page_name })
  markReported(message_id)
  // Removes dismissed announcements from a reply that was requested before.
  queryClient.setQueryData<Reply>(apiQuery(site.getAnnouncements, { page_name }).queryKey, (previous) => ({
    announcements: (previous?.announcements ?? []).filter((each) => each.message_id !== message_id),
  }))
}

type AnnouncementProps = {
  html: string
  /** The total number of announcements. */
  of?: number
  onHide?: () => void
}

/** An announcement as shown on a page. */
export const Announcement = ({ html, of = 1, onHide }: AnnouncementProps) => (
  <div className={css.note} role="note">
    <span className={css.pill}>{texts.newLabel}</span>
    <AnnouncementText key={html} html={html} />
    {of > 1 && <span className={`${css.count} num`}>{format(texts.n1Of, { total: of })}</span>}
    <IconButton label={texts.dismissAnnouncement} className={css.hide} onClick={onHide}>
      <IconX size={16} />
    </IconButton>
  </div>
)

/**
 * On a phone the text is limited to two lines, so that the content below does not move; the rest is shown on request.
 */
function AnnouncementText({ html }: { html: string }) {
  const text = useRef<HTMLDivElement>(null)
  const [isTruncated, setTruncated] = useState(false)
  const [isExpanded, setExpanded] = useState(false)
  useEffect(() => {
    const container = text.current
    if (!container) return
    const observer = new ResizeObserver(() => setTruncated(container.scrollHeight > container.clientHeight + 1))
    observer.observe(container)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      <div ref={text} className={css.text} data-whole={isExpanded || undefined}>
        <Html html={html} />
      </div>
      {isTruncated && (
        <button type="button" className={css.more} onClick={() => setExpanded(true)}>
          {texts.showMore}
        </button>
      )}
    </>
  )
}
