import { support } from '@dubplate/contract'
import { useState } from 'react'
import { ago, useMinute } from '../platform/ago.ts'
import { ask } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import { Certain } from '../uploads/Certain.tsx'
import css from './SavedAnswers.module.css'
import * as texts from './texts.ts'
import { askAnswersAnew } from './tickets.ts'

type Props = { answer: support.SavedAnswer & { words: string }; onEdit: () => void }

/** An answer in the list: how it begins, how often it was used, what can be done. */
export function SavedAnswerRow({ answer, onEdit }: Props) {
  const { saved_answer_id, title, words, used, last_used_at } = answer
  const now = useMinute()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    await ask(support.removeSavedAnswer, { saved_answer_id })
    await askAnswersAnew()
  }
  return (
    <article className={css.row} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className={css.words}>{words}</p>
        <p className={css.about}>
          {used === 0 ? texts.notUsedYet : format(texts.usedTimes, { used })}
          {last_used_at && format(texts.lastUsed, { last_used_at: ago(last_used_at, now) })}
        </p>
      </div>
      <span className={css.actions}>
        <Button aria-label={format(texts.edit3, { title })} onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button aria-label={format(texts.deleteLabel3, { title })} onClick={() => setAsking(true)}>
          {texts.deleteLabel}
        </Button>
      </span>
      {isAsking && (
        <Certain
          question={texts.deleteSavedReply}
          what={format(texts.willBeDeletedRepliesAlready, { title })}
          yes={texts.deleteLabel}
          isDanger
          onYes={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}
