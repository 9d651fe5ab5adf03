import { support } from '@dubplate/contract'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import css from './SavedReplies.module.css'
import * as texts from './texts.ts'
import { askAnswersAnew } from './tickets.ts'

type Props = { answer: support.SavedReply & { words: string }; onEdit: () => void }

/** A saved reply in the list: its beginning, how often it was used, and its actions. */
export function SavedReplyRow({ answer, onEdit }: Props) {
  const { saved_reply_id, title, words, used, last_used_at } = answer
  const now = useCurrentMinute()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    await callApi(support.removeSavedReply, { saved_reply_id })
    await askAnswersAnew()
  }
  return (
    <article className={css.row} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className={css.words}>{words}</p>
        <p className={css.about}>
          {used === 0
            ? texts.notUsedYet
            : last_used_at
              ? format(texts.usedTimesLast, { used, ago: formatTimeAgo(last_used_at, now) })
              : format(texts.usedTimes, { used })}
        </p>
      </div>
      <span className={css.actions}>
        <Button aria-label={format(texts.editTitleLabel, { title })} onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button aria-label={format(texts.deleteTitleLabel, { title })} onClick={() => setAsking(true)}>
          {texts.deleteButton}
        </Button>
      </span>
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteSavedReply}
          what={format(texts.willBeDeletedRepliesAlready, { title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}
