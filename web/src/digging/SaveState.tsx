import { IconCloudOff } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { sendOutbox, useOutbox } from './outbox.ts'
import css from './SaveState.module.css'
import * as texts from './texts.ts'

/** Says how many decisions could not be saved yet. */
export function SaveState() {
  const { entries, hasFailed } = useOutbox()
  return (
    <div role="status">
      {hasFailed && entries.length > 0 && (
        <p className={css.unsaved}>
          <IconCloudOff size={16} aria-hidden />
          {format(texts.notSaved, { count: entries.length })}
          <button type="button" onClick={() => void sendOutbox()}>
            {texts.tryAgain}
          </button>
        </p>
      )}
    </div>
  )
}
