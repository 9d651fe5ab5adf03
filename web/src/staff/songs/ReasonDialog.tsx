import '../../styles/mantine-forms.css'
import { InputBase } from '@mantine/core'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from '../sales/PaymentForms.module.css'
import * as texts from './texts.ts'

type Props = {
  question: string
  /** What happens as a result. */
  what: string
  verb: string
  /** Whether a reason is required. */
  isNeeded: boolean
  draft: string
  /** Throws an `ApiError` when the server rejects the change. */
  onSend: (reason: string) => Promise<void>
  onClose: () => void
}

const LONGEST = 1000

/** Asks for the reason for unpublishing or republishing something. */
export function ReasonDialog({ question, what, verb, isNeeded, draft, onSend, onClose }: Props) {
  const { form, submit, complaints, isBusy } = useDialogForm({
    initialValues: { reason: getDraft(draft) },
    validate: ({ reason }): { reason?: string } =>
      isNeeded && reason.trim() === '' ? { reason: texts.enterAReasonYourColleagues } : {},
    onValuesChange: ({ reason }) => saveDraft(draft, reason),
    send: async ({ reason }) => {
      await onSend(reason)
      saveDraft(draft, '')
      onClose()
    },
  })
  return (
    <Dialog title={question} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        <InputBase
          component="textarea"
          multiline
          rows={3}
          label={isNeeded ? texts.reason : texts.reasonOptional}
          description={texts.savedInTheAuditLog}
          maxLength={LONGEST}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <p className={css.hint}>{what}</p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant={isNeeded ? 'danger' : 'primary'} busy={isBusy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
