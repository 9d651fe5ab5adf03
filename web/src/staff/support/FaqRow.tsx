import { support } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { useState } from 'react'
import handle from '../../library/PlaylistHandle.module.css'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { toastError } from '../../ui/toast.ts'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import forms from '../forms/Forms.module.css'
import css from './FaqDesk.module.css'
import * as texts from './texts.ts'
import { askFaqsAnew } from './tickets.ts'

type Props = { faq: support.StaffFaq; onEdit: () => void }

/** A question in the list: its drag handle, whether it is published, and its actions. */
export function FaqRow({ faq, onEdit }: Props) {
  const { faq_id, question, answer, published } = faq
  const [isAsking, setAsking] = useState(false)
  /** The value being saved. */
  const [pending, setPending] = useState<boolean>()
  const publish = async (published: boolean) => {
    setPending(published)
    try {
      await callApi(support.saveFaq, { faq_id, question, answer, published })
      await askFaqsAnew()
    } catch (error) {
      void toastError(published ? texts.couldntPublishArticle : texts.couldntUnpublishArticle, error)
    }
    setPending(undefined)
  }
  const remove = async () => {
    await callApi(support.removeFaq, { faq_id })
    await askFaqsAnew()
  }
  return (
    <article className={css.row} aria-label={question}>
      <IconButton
        className={handle.handle}
        label={format(texts.moveQuestionLabel, { question })}
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
        <Button aria-label={format(texts.editQuestionLabel, { question })} onClick={onEdit}>
          {texts.edit}
        </Button>
        <Button aria-label={format(texts.deleteQuestionLabel, { question })} onClick={() => setAsking(true)}>
          {texts.deleteButton}
        </Button>
      </span>
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteArticle}
          what={format(texts.andItsAnswerWillBe, { question })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}
