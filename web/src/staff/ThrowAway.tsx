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
      void toast({ message: `${task} is thrown away.` })
      onClose()
      await onDone()
    },
  })
  return (
    <Dialog title={`Throw ${task} away?`} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <Complaints sentences={complaints} />
        <p>It will not be done this time. What the timetable has comes again at its next time.</p>
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={isBusy}>
            Throw away
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
