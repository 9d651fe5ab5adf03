import { format } from '../../format/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import * as texts from '../texts.ts'
import css from './EndOtherSessionsDialog.module.css'

type Props = { count: number; onConfirm: () => void; onClose: () => void }

/** Asks for confirmation before the member is signed out on all other devices. */
export const EndOtherSessionsDialog = ({ count, onConfirm, onClose }: Props) => (
  <Dialog title={texts.signOutAllOtherSessionsQuestion} onClose={onClose}>
    <p>{format(texts.otherSessionsSignedOut, { count })}</p>
    <div className={css.actions}>
      <Button onClick={onClose}>{texts.cancel}</Button>
      <Button variant="danger" data-autofocus onClick={onConfirm}>
        {format(texts.signOutSessions, { count })}
      </Button>
    </div>
  </Dialog>
)
