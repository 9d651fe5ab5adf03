import { plural } from '../../platform/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import css from './EndOthers.module.css'

type Props = { count: number; onEnd: () => void; onClose: () => void }

/** Asks once more before the member is signed out everywhere else. */
export const EndOthers = ({ count, onEnd, onClose }: Props) => (
  <Dialog title="End all others?" onClose={onClose}>
    <p>You stay signed in here. {plural(count, 'other session ends', 'other sessions end')} at once.</p>
    <div className={css.actions}>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="danger" data-autofocus onClick={onEnd}>
        End {plural(count, 'session')}
      </Button>
    </div>
  </Dialog>
)
