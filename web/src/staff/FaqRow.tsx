import { support } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { useState } from 'react'
import handle from '../library/PlaylistHandle.module.css'
import { ask } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { toastTrouble } from '../ui/toast.ts'
import { Certain } from '../uploads/Certain.tsx'
import css from './FaqDesk.module.css'
import forms from './Forms.module.css'
import { askFaqsAnew } from './tickets.ts'

type Props = { faq: support.StaffFaq; onEdit: () => void }

/** A question in the list: its handle, whether it is published, what can be done. */
export function FaqRow({ faq, onEdit }: Props) {
  const { faq_id, question, answer, published } = faq
  const [isAsking, setAsking] = useState(false)
  /** What is being saved. */
  const [pending, setPending] = useState<boolean>()
  const publish = async (published: boolean) => {
    setPending(published)
    try {
      await ask(support.saveFaq, { faq_id, question, answer, published })
      await askFaqsAnew()
    } catch (error) {
      void toastTrouble(published ? 'Couldn’t publish article' : 'Couldn’t unpublish article', error)
    }
    setPending(undefined)
  }
  const remove = async () => {
    await ask(support.removeFaq, { faq_id })
    await askFaqsAnew()
  }
  return (
    <article className={css.row} aria-label={question}>
      <IconButton
        className={handle.handle}
        label={`Move ${question}`}
        shortcut="Alt+↑ / Alt+↓, or Space then ↑ / ↓"
        draggable={false}
        data-handle
      >
        <IconGripVertical size={15} />
      </IconButton>
      <h2>{question}</h2>
      <label className={forms.check}>
        <input
          type="checkbox"
          checked={pending ?? published}
          onChange={({ target }) => pending === undefined && void publish(target.checked)}
        />
        Published
      </label>
      <span className={css.actions}>
        <Button aria-label={`Edit ${question}`} onClick={onEdit}>
          Edit
        </Button>
        <Button aria-label={`Delete ${question}`} onClick={() => setAsking(true)}>
          Delete
        </Button>
      </span>
      {isAsking && (
        <Certain
          question="Delete article?"
          what={`“${question}” and its answer will be deleted. This can’t be undone. To hide it instead, unpublish it.`}
          yes="Delete"
          isDanger
          onYes={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}
