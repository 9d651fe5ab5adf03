import { Dialog } from '../ui/Dialog.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './Dialogs.module.css'
import type { NewCardProps } from './NewCard.tsx'
import * as texts from './texts.ts'

// The card masks and validation are as large as the dialog itself.
const NewCard = lazyOnDemand(() => import('./NewCard.tsx').then((code) => code.NewCard))

/** A new card for future payments, entered in the pool's own form (test mode only). */
export const UpdateCard = (props: NewCardProps) => (
  <Dialog title={texts.updateCard} onClose={props.onClose}>
    <div className={css.card}>
      <NewCard {...props} />
    </div>
  </Dialog>
)
