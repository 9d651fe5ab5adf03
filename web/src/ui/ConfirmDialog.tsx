import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import css from './ConfirmDialog.module.css'
import { lazyOnDemand } from './lazyOnDemand.tsx'
import * as texts from './texts.ts'
import { useAction } from './useAction.ts'

const Dialog = lazyOnDemand(() => import('./Dialog.tsx').then(({ Dialog }) => Dialog))

type Props = {
  title: string
  /** What the action is about, and its consequences. */
  what: string
  confirmLabel: string
  isDanger?: boolean
  /** Options, shown below the description. */
  children?: ReactNode
  /** Throws the server's `ApiError`; the dialog then stays open and shows it. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks for confirmation. */
export function ConfirmDialog({ title, what, confirmLabel, isDanger = false, children, onConfirm, onClose }: Props) {
  const [errorMessage, setErrorMessage] = useState('')
  const [confirm, isBusy] = useAction(async () => {
    setErrorMessage('')
    try {
      await onConfirm()
    } catch (error) {
      return setErrorMessage(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
    }
    onClose()
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={css.steps}>
        <p className={css.what}>{what}</p>
        {children}
        <p role="alert" className={css.error} hidden={!errorMessage}>
          {errorMessage}
        </p>
        <div className={css.actions}>
          <Button data-autofocus onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button variant={isDanger ? 'danger' : 'primary'} busy={isBusy} onClick={() => confirm()}>
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
