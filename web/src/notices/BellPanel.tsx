import { notices } from '@dubplate/contract'
import { IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import buttonCss from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import iconCss from '../ui/IconButton.module.css'
import menuCss from '../ui/Menu.module.css'
import { useCloseOnOutsideClick, usePosition } from '../ui/Menu.tsx'
import { NoNotifications, NotificationRows, NotificationSkeleton } from './NotificationRows.tsx'
import css from './Notifications.module.css'
import * as texts from './texts.ts'
import { setUnread } from './unread.ts'
import { useMarkRead } from './useMarkRead.ts'

/** The number of notifications in the panel. */
const PANEL_LIMIT = 8

type Props = { opener: HTMLElement; onClose: () => void }

/** The newest notifications, below the bell; on a phone at the bottom of the page. */
export function BellPanel({ opener, onClose }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const { right, bottom } = opener.getBoundingClientRect()
  const { data, error, refetch } = useApiQuery(notices.getNotices, { page: 1 })
  const markRead = useMarkRead({ errorTitle: texts.couldntMarkNotificationsAsRead })
  // A cached reply does not contain the newest notifications.
  useEffect(() => {
    void refetch({ cancelRefetch: false }).then(({ data }) => data && setUnread(data.unread))
  }, [refetch])
  usePosition(container, { x: right, y: bottom + 6 })
  useCloseOnOutsideClick(container, opener, onClose)
  useEffect(() => container.current?.focus({ preventScroll: true }), [])
  const close = () => {
    onClose()
    opener.focus({ preventScroll: true })
  }
  return createPortal(
    <>
      <div className={menuCss.shade} />
      <div
        ref={container}
        role="dialog"
        aria-label={texts.notifications}
        tabIndex={-1}
        className={`${menuCss.menu} ${css.panel}`}
        onKeyDown={(event) => handleKey(event, container.current, close)}
      >
        <header className={css.head}>
          <h2>{texts.notifications}</h2>
          {data !== undefined && data.unread > 0 && (
            <Button
              onClick={() => {
                // The button disappears with the last unread notification.
                container.current?.focus({ preventScroll: true })
                markRead({})
              }}
            >
              {texts.markAllAsRead}
            </Button>
          )}
          <Link
            to="/account/notices"
            className={iconCss.button}
            style={{ width: 36, height: 36 }}
            aria-label={texts.notificationSettings}
            title={texts.notificationSettings}
            onClick={onClose}
          >
            <IconSettings size={17} aria-hidden />
          </Link>
        </header>
        {data && data.notices.length > 0 && (
          <>
            <NotificationRows notices={data.notices.slice(0, PANEL_LIMIT)} onOpen={onClose} />
            <Link to="/notices" className={buttonCss.button} style={{ display: 'flex', margin: 4 }} onClick={onClose}>
              {texts.seeAllNotifications}
            </Link>
          </>
        )}
        {data?.notices.length === 0 && <NoNotifications />}
        {!data && !error && <NotificationSkeleton count={4} />}
        {!data && error && (
          <InlineError error={error} title={texts.couldntLoadNotificationsInline} retry={() => void refetch()} />
        )}
      </div>
    </>,
    document.getElementById('main') ?? document.body,
  )
}

/** Closes with Escape and keeps Tab inside: the panel is at the end of the document, far from the bell. */
function handleKey(event: KeyboardEvent, container: HTMLElement | null, close: () => void) {
  if (event.key === 'Escape') {
    event.preventDefault()
    return close()
  }
  if (event.key !== 'Tab') return
  const focusableElements = [...(container?.querySelectorAll<HTMLElement>('a, button') ?? [])]
  const at = focusableElements.indexOf(document.activeElement as HTMLElement)
  const leavesPanel = event.shiftKey ? at <= 0 : at === focusableElements.length - 1
  if (!leavesPanel) return
  event.preventDefault()
  focusableElements.at(event.shiftKey ? -1 : 0)?.focus()
}
