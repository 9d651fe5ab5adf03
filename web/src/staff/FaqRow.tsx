import { support } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { useState } from 'react'
import handle from '../library/PlaylistHandle.module.css'
import { ask } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { toastTrouble } from '../ui/toast.ts'
import { Certain } from '../uploads/Certain.tsx'
import css from './FaqDesk.module.css'
import forms from './Forms.module.css'
import * as texts from './texts.ts'
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
      void toastTrouble(published ? texts.couldntPublishArticle : texts.couldntUnpublishArticle, error)
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
        label={format(texts.move, { question })}
        shortcut={texts.altAltOrSpaceThen}
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
        {texts.published}
      </label>
      <span className={css.actions}>
        <Button aria-label={format(texts.edit2, { question })} onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button aria-label={format(texts.deleteLabel2, { question })} onClick={() => setAsking(true)}>
          {texts.deleteLabel}
        </Button>
      </span>
      {isAsking && (
        <Certain
          question={texts.deleteArticle}
          what={format(texts.andItsAnswerWillBe, { question })}
          yes={texts.deleteLabel}
          isDanger
          onYes={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}
