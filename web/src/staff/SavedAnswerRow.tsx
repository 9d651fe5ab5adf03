import { support } from '@dubplate/contract'
import { useState } from 'react'
import { ago, useMinute } from '../platform/ago.ts'
import { ask } from '../platform/api.ts'
import { plural } from '../platform/format.ts'
import { Button } from '../ui/Button.tsx'
import { Certain } from '../uploads/Certain.tsx'
import css from './SavedAnswers.module.css'
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
          {used === 0 ? 'Not used yet' : `Used ${plural(used, 'time')}`}
          {last_used_at && `, last used ${ago(last_used_at, now)}`}
        </p>
      </div>
      <span className={css.actions}>
        <Button aria-label={`Edit ${title}`} onClick={onEdit}>
          Edit
        </Button>
        <Button aria-label={`Delete ${title}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </span>
      {isAsking && (
        <Certain
          question="Delete saved reply?"
          what={`“${title}” will be deleted. Replies already sent stay as they are. This can’t be undone.`}
          yes="Delete"
          isDanger
          onYes={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}
