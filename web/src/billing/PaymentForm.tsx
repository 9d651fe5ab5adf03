import type { billing } from '@dubplate/contract'
import { paymentForm } from '@dubplate/contract/schemas/billing'
import { schemaResolver } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { rich } from '../format/message.ts'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { useDialogForm } from '../membership/useDialogForm.ts'
import { ApiError, OfflineError } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import css from './Billing.module.css'
import { CardForm } from './CardForm.tsx'
import choose from './ChoosePayment.module.css'
import { BLANK_CARD, type CardFields, cardFieldErrors, validateCard } from './card.ts'
import { readCheckoutChoice, saveCheckoutChoice } from './checkout.ts'
import { FocusOnChange } from './FocusOnChange.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'
import * as texts from './texts.ts'

type Values = CardFields & { payment_method: string; terms_condition: string }

/** The chosen payment method, and the card if it was entered here. */
export type PaymentSubmission = {
  method: billing.PaymentMethod
  card: (CardFields & { card_type: billing.CardType }) | undefined
}

const validateRequired = schemaResolver(paymentForm, { sync: true })

type Props = {
  planId: number
  methods: readonly billing.PaymentMethod[]
  cards: 'form' | 'hosted'
  /** True while the price is not known yet. */
  isPriceOpen: boolean
  /** Returns false when something else has to be corrected first. */
  isReady: () => boolean
  /** Throws the server's `ApiError`. */
  onPay: (submission: PaymentSubmission) => Promise<void>
  onRejected: (apiError: ApiError) => void
}

/** The payment form: the method, the card if it is entered here, and the terms. */
export function PaymentForm({ planId, methods, cards, isPriceOpen, isReady, onPay, onRejected }: Props) {
  const [errorMessage, setErrorMessage] = useState<unknown>()
  const needsCardFields = ({ payment_method }: Values) => payment_method === 'credit_card' && cards === 'form'
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm<Values>({
    initialValues: { ...BLANK_CARD, payment_method: firstMethod(methods, planId), terms_condition: '' },
    validate: (values) => ({
      ...(methods.some((method) => method === values.payment_method)
        ? {}
        : { payment_method: texts.selectAPaymentMethod }),
      ...(needsCardFields(values) ? { ...validateRequired(values), ...validateCard(values, new Date()) } : {}),
      ...(values.terms_condition ? {} : { terms_condition: texts.termsConditionsAreRequired }),
    }),
    send: async (values) => {
      if (!isReady()) return
      const card = needsCardFields(values) ? cardOf(values) : undefined
      await onPay({ method: values.payment_method as billing.PaymentMethod, card }).catch((error: unknown) => {
        setErrorMessage(error)
        throw error
      })
    },
    onRejected: (apiError) => {
      onRejected(apiError)
      apiError.fields = cardFieldErrors(apiError.fields)
      // The card stays filled in; its security code has to be entered again each time.
      if (needsCardFields(form.getValues())) form.setFieldValue('ccv', '')
      form.clearErrors()
      return false
    },
  })
  const chooseMethod = (method: billing.PaymentMethod) => {
    form.setFieldValue('payment_method', method)
    saveCheckoutChoice(planId, { method })
  }
  return (
    <form noValidate className={choose.form} onSubmit={submit} aria-label={texts.payment}>
      <PaymentMethods
        offered={methods}
        chosen={form.values.payment_method}
        error={form.errors.payment_method}
        onChoose={chooseMethod}
      />
      {needsCardFields(form.values) ? (
        <CardForm form={form} />
      ) : (
        form.values.payment_method && <p className={css.text}>{NOTICES[form.values.payment_method]}</p>
      )}
      <Terms
        isAgreed={form.values.terms_condition !== ''}
        error={form.errors.terms_condition as string | undefined}
        onChange={(isAgreed) => form.setFieldValue('terms_condition', isAgreed ? 'yes' : '')}
      />
      <div className={choose.end}>
        <FocusOnChange when={errorMessages}>
          <ErrorMessages messages={errorMessages}>
            <PaymentErrorHelp error={errorMessage} />
          </ErrorMessages>
        </FocusOnChange>
        <Button type="submit" variant="primary" busy={isBusy} disabled={isPriceOpen}>
          {texts.proceedToPaymentTitleCase}
        </Button>
      </div>
    </form>
  )
}

const NOTICES: Record<string, string> = {
  mobile_wallet: texts.yourPhoneOrBrowserWallet,
  paypal: texts.youllBeRedirectedToPaypal,
  credit_card: texts.cardEntryAtProviderHint,
  bank_transfer: texts.wellShowYouAReference,
}

/** The method chosen before if it is still offered, or the only one; otherwise none. */
function firstMethod(methods: readonly billing.PaymentMethod[], planId: number): string {
  const before = readCheckoutChoice(planId).method
  if (methods.some((method) => method === before)) return before
  return methods.length === 1 ? (methods[0] ?? '') : ''
}

const cardOf = ({ cardholder_name, card_number, card_type, expire_date, ccv }: Values) => ({
  cardholder_name,
  card_number,
  card_type: card_type as billing.CardType,
  expire_date,
  ccv,
})

type TermsProps = { isAgreed: boolean; error: string | undefined; onChange: (isAgreed: boolean) => void }

function Terms({ isAgreed, error, onChange }: TermsProps) {
  const id = useId()
  return (
    <div>
      <label className={choose.terms}>
        <input
          type="checkbox"
          data-path="terms_condition"
          checked={isAgreed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        {texts.iAgreeToTheTerms}
      </label>
      {error && (
        <p id={id} role="alert" className={choose.wrong}>
          {error}
        </p>
      )}
    </div>
  )
}

/** Links to the screen that shows the result of this payment or an earlier one. */
function PaymentErrorHelp({ error }: { error: unknown }) {
  const isUnknown = error instanceof OfflineError
  const isUnavailable =
    error instanceof ApiError &&
    ['already_subscribed', 'payment_in_progress', 'provider_unavailable'].includes(error.code)
  if (!isUnknown && !isUnavailable) return null
  return (
    <p>
      {rich(isUnknown ? texts.paymentStatusUnknown : texts.seeYourSubscription, {
        link: (inside) => (
          <Link to="/account/manage-subscription" className={css.link}>
            {inside}
          </Link>
        ),
      })}
    </p>
  )
}
