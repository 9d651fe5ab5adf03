import { checkout, type ReplyOf } from '@dubplate/contract'
import { useState } from 'react'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { errorMessagesOf } from '../membership/useDialogForm.ts'
import { callApi } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import css from './Billing.module.css'
import type { Order } from './checkout.ts'
import { FocusOnChange } from './FocusOnChange.tsx'
import { money, toDecimalString } from './money.ts'
import * as texts from './texts.ts'
import sheet from './WalletSheet.module.css'

/** The token of an accepted payment in test mode. */
const WALLET_ACCEPTS = 'sandbox-wallet-ok'
const WALLET_DECLINES = 'sandbox-wallet-declines'

type Props = {
  detail: ReplyOf<typeof checkout.payByWallet>
  order: Order
  onDone: (started: checkout.StartedCheckout) => void
  onClose: () => void
}

/** The wallet sheet of test mode, in place of the one of a phone or browser. */
export function WalletSheet({ detail, order, onDone, onClose }: Props) {
  const [pendingChoice, setPendingChoice] = useState<string>()
  const [errorMessages, setErrorMessages] = useState<string[]>([])
  const chooseWallet = async (applePay: string) => {
    setPendingChoice(applePay)
    setErrorMessages([])
    await callApi(checkout.completeWallet, { ...order, applePay }).then(onDone, (error: unknown) => {
      setErrorMessages(errorMessagesOf(error))
    })
    setPendingChoice(undefined)
  }
  const isBusy = pendingChoice !== undefined
  return (
    <Dialog title={texts.testWallet} onClose={() => isBusy || onClose()}>
      <div className={sheet.sheet}>
        <div className={sheet.amount}>
          <span>{detail.label}</span>
          <b>{money(toDecimalString(detail.amount), detail.currency.toUpperCase())}</b>
        </div>
        <p className={css.small}>{texts.testModeNoRealMoney}</p>
        <FocusOnChange when={errorMessages}>
          <ErrorMessages messages={errorMessages} />
        </FocusOnChange>
        <div className={sheet.buttons}>
          <Button
            variant="primary"
            data-autofocus
            busy={pendingChoice === WALLET_ACCEPTS}
            disabled={isBusy}
            onClick={() => void chooseWallet(WALLET_ACCEPTS)}
          >
            {texts.pay}
          </Button>
          <Button
            busy={pendingChoice === WALLET_DECLINES}
            disabled={isBusy}
            onClick={() => void chooseWallet(WALLET_DECLINES)}
          >
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
