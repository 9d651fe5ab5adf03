import { operations } from '@dubplate/contract'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import css from '../sales/PaymentForms.module.css'
import * as texts from './texts.ts'

type Props = { job: operations.Job; onClose: () => void; onDone: () => Promise<void> }

/** Asks for confirmation before a job is discarded. */
export function ThrowAway({ job: { job_id, task }, onClose, onDone }: Props) {
  const { submit, isBusy, complaints } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      await callApi(operations.discardJob, { job_id })
      void toast({ message: format(texts.discarded, { task }) })
      onClose()
      await onDone()
    },
  })
  return (
    <Dialog title={format(texts.discardTaskQuestion, { task })} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        <p>{texts.thisRunIsSkippedScheduled}</p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="danger" busy={isBusy}>
            {texts.discard}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
