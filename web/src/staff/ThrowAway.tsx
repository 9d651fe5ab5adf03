import { operations } from '@dubplate/contract'
import { Complaints } from '../membership/Complaints.tsx'
import { useDialogForm } from '../membership/useDialogForm.ts'
import { ask } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import css from './PaymentForms.module.css'

type Props = { job: operations.Job; onClose: () => void; onDone: () => Promise<void> }

/** Asks once more: what is thrown away is not done. */
export function ThrowAway({ job: { job_id, task }, onClose, onDone }: Props) {
  const { submit, isBusy, complaints } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      await ask(operations.throwJobAway, { job_id })
      void toast({ message: `${task} discarded` })
      onClose()
      await onDone()
    },
  })
  return (
    <Dialog title={`Discard ${task}?`} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <Complaints sentences={complaints} />
        <p>This run is skipped. Scheduled jobs run again at their next time.</p>
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={isBusy}>
            Discard
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
