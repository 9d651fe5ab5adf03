import { IconBell } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { format } from '../format/message.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './Bell.module.css'
import * as texts from './texts.ts'
import { useUnread } from './unread.ts'

const BellPanel = lazyOnDemand(() => import('./BellPanel.tsx').then(({ BellPanel }) => BellPanel))

/** Shows the number of unread notifications, and opens the newest ones. */
export function Bell() {
  const unread = useUnread()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setOpener(null), [])
  return (
    <>
      <button
        type="button"
        className={css.bell}
        aria-haspopup="dialog"
        aria-expanded={opener !== null}
        aria-label={unread ? format(texts.notificationsUnread, { unread }) : texts.notifications}
        title={texts.notifications}
        onClick={(event) => setOpener(opener ? null : event.currentTarget)}
      >
        <IconBell size={19} aria-hidden />
        {unread > 0 && (
          <b className="num" aria-hidden>
            {unread > 99 ? '99+' : unread}
          </b>
        )}
      </button>
      {opener && <BellPanel opener={opener} onClose={close} />}
    </>
  )
}
