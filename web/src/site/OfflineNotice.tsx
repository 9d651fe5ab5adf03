import { IconCloudOff } from '@tabler/icons-react'
import { useConnection } from '../platform/connection.ts'
import css from './Notice.module.css'
import * as texts from './texts.ts'

/** Shown above the player while there is no connection. */
export function OfflineNotice() {
  const offline = useConnection((connection) => connection.offline)
  return (
    <div role="status" className={css.place}>
      {offline && (
        <p className={css.notice}>
          <IconCloudOff size={16} aria-hidden />
          {texts.youreOfflineLoadedPagesStill}
        </p>
      )}
    </div>
  )
}
