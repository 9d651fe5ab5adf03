import { checkout, type ReplyOf } from '@dubplate/contract'
import { useState } from 'react'
import { Complaints } from '../membership/Complaints.tsx'
import { complaintsOf } from '../membership/useDialogForm.ts'
import { ask } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import css from './Billing.module.css'
import type { Order } from './checkout.ts'
import { Focused } from './Focused.tsx'
import { decimalOf, money } from './money.ts'
import * as texts from './texts.ts'
import sheet from './WalletSheet.module.css'

/** What a wallet hands over, in the sandbox. */
const PAYS = 'sandbox-wallet-ok'
const DECLINES = 'sandbox-wallet-declines'

type Props = {
  detail: ReplyOf<typeof checkout.payByWallet>
  order: Order
  onDone: (started: checkout.Started) => void
  onClose: () => void
}

/** The sandbox's own sheet, in place of the one a phone or browser brings. */
export function WalletSheet({ detail, order, onDone, onClose }: Props) {
  const [pressed, setPressed] = useState<string>()
  const [complaints, setComplaints] = useState<string[]>([])
  const press = async (applePay: string) => {
    setPressed(applePay)
    setComplaints([])
    await ask(checkout.completeWallet, { ...order, applePay }).then(onDone, (error: unknown) => {
      setComplaints(complaintsOf(error))
    })
    setPressed(undefined)
  }
  const isBusy = pressed !== undefined
  return (
    <Dialog title={texts.testWallet} onClose={() => isBusy || onClose()}>
      <div className={sheet.sheet}>
        <div className={sheet.amount}>
          <span>{detail.label}</span>
          <b>{money(decimalOf(detail.amount), detail.currency.toUpperCase())}</b>
        </div>
        <p className={css.small}>{texts.testModeNoRealMoney}</p>
        <Focused when={complaints}>
          <Complaints sentences={complaints} />
        </Focused>
        <div className={sheet.buttons}>
          <Button
            look="primary"
            data-autofocus
            busy={pressed === PAYS}
            disabled={isBusy}
            onClick={() => void press(PAYS)}
          >
            {texts.pay}
          </Button>
          <Button busy={pressed === DECLINES} disabled={isBusy} onClick={() => void press(DECLINES)}>
            {texts.decline}
          </Button>
          <Button disabled={isBusy} onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
