import { Dialog } from '../ui/Dialog.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './Dialogs.module.css'
import type { NewCardProps } from './NewCard.tsx'
import * as texts from './texts.ts'

// Masks and checks of cards weigh as much as the dialog itself.
const NewCard = lazyOnDemand(() => import('./NewCard.tsx').then((code) => code.NewCard))

/** Another card for the payments to come, typed into the pool's own form (the sandbox alone). */
export const UpdateCard = (props: NewCardProps) => (
  <Dialog title={texts.updateCard} onClose={props.onClose}>
    <div className={css.card}>
      <NewCard {...props} />
    </div>
  </Dialog>
)
