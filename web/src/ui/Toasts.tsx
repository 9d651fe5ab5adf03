import '../styles/mantine-toast.css'
import { Notifications, notifications } from '@mantine/notifications'
import { Mantine } from './Mantine.tsx'
import css from './Toasts.module.css'
import * as texts from './texts.ts'
import type { Toast } from './toast.ts'

/** Time to read a short message, and time to read an error or to use its button. */
const SHORT_TOAST_MS = 3_500
const LONG_TOAST_MS = 9_000

function Action({ action, id }: { action: NonNullable<Toast['action']>; id: string }) {
  const run = () => {
    notifications.hide(id)
    action.run()
  }
  return (
    <button type="button" className={css.action} onClick={run}>
      {action.label}
    </button>
  )
}

export function show({ title, message, tone = 'plain', action, until }: Toast) {
  const id = crypto.randomUUID?.() ?? String(Math.random())
  notifications.show({
    id,
    title,
    color: tone === 'error' ? 'var(--danger)' : 'var(--accent-ink)',
    autoClose: until ? false : tone === 'error' || action ? LONG_TOAST_MS : SHORT_TOAST_MS,
    closeButtonProps: { 'aria-label': texts.dismiss },
    message: action ? (
      <>
        {message} <Action action={action} id={id} />
      </>
    ) : (
      message
    ),
  })
  const hide = () => notifications.hide(id)
  until?.then(hide, hide)
}

export const Toasts = () => (
  <Mantine>
    <Notifications position="bottom-right" limit={3} className={css.toasts} />
  </Mantine>
)
