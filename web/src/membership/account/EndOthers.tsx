import { plural } from '../../platform/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './EndOthers.module.css'

type Props = { count: number; onEnd: () => void; onClose: () => void }

/** Asks once more before the member is signed out everywhere else. */
export const EndOthers = ({ count, onEnd, onClose }: Props) => (
  <Dialog title="Sign out all other sessions?" onClose={onClose}>
    <p>You’ll stay signed in on this device. {plural(count, 'other session')} will be signed out.</p>
    <div className={css.actions}>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="danger" data-autofocus onClick={onEnd}>
        Sign out {plural(count, 'session')}
      </Button>
    </div>
  </Dialog>
)
