import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { late } from '../ui/late.tsx'
import css from './Certain.module.css'
import * as texts from './texts.ts'

const Dialog = late(() => import('../ui/Dialog.tsx').then(({ Dialog }) => Dialog))

type Props = {
  question: string
  /** What it is about, and what follows. */
  what: string
  yes: string
  isDanger?: boolean
  /** Throws what the server refuses; the dialog then stays and says why. */
  onYes: () => Promise<unknown>
  onClose: () => void
}

/** Asks once more before something is done. */
export function Certain({ question, what, yes, isDanger = false, onYes, onClose }: Props) {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const go = async () => {
    setBusy(true)
    setTrouble('')
    try {
      await onYes()
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
      return setBusy(false)
    }
    onClose()
  }
  return (
    <Dialog title={question} onClose={onClose}>
      <div className={css.steps}>
        <p className={css.what}>{what}</p>
        <p role="alert" className={css.trouble} hidden={!trouble}>
          {trouble}
        </p>
        <div className={css.actions}>
          <Button data-autofocus onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button look={isDanger ? 'danger' : 'primary'} busy={isBusy} onClick={() => void go()}>
            {yes}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
