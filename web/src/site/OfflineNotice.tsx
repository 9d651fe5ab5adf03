import { IconCloudOff } from '@tabler/icons-react'
import { useConnection } from '../platform/connection.ts'
import css from './OfflineNotice.module.css'

/** Stands above the player for as long as there is no network. */
export function OfflineNotice() {
  const offline = useConnection((connection) => connection.offline)
  return (
    <div role="status" className={css.place}>
      {offline && (
        <p className={css.notice}>
          <IconCloudOff size={16} aria-hidden />
          You’re offline. Loaded pages still work.
        </p>
      )}
    </div>
  )
}
