import type { billing, checkout } from '@dubplate/contract'
import { payByCard } from '@dubplate/contract/schemas/checkout'
import { Box, Group, Stack, Text } from '@mantine/core'
import { IconBrandPaypal, IconBuildingBank, IconCreditCard, IconDeviceMobile } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { format, rich } from '../format/message.ts'
import { ApiError, OfflineError } from '../platform/api.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import css from './Billing.module.css'
import { BLANK_CARD, type CardFields, cardOf, fieldOfCard } from './cardFields.ts'
import { type Order, readCheckoutChoice, saveCheckoutChoice } from './checkout.ts'
import { PaymentErrors } from './PaymentErrors.tsx'
import { linkToSubscription } from './PaymentLinks.tsx'
import { Note } from './PaymentPage.tsx'
import * as texts from './texts.ts'

/** The masks and the validation of a card, loaded with its fields: only test mode has them. */
let cardCode: typeof import('./card.ts') | undefined
const loadCardForm = async () => {
  const [{ CardForm }, code] = await Promise.all([import('./CardForm.tsx'), import('./card.ts')])
  cardCode = code
  return CardForm
}
const CardForm = lazyOnDemand(loadCardForm)

type Method = billing.PaymentMethod
type Values = CardFields & { payment_method: Method | ''; terms_condition: boolean }

type Props = {
  order: Order
  /** The amount due today, as it is shown on the button. */
  amount: string
  methods: readonly Method[]
  cards: 'form' | 'hosted'
  isPriceKnown: boolean
  /** Returns false when something else has to be corrected first. */
  isReady: () => boolean
  /** Throws the server's `ApiError`. `payByCard` sends the card if it was entered here. */
  onPay: (method: Method, payByCard: () => Promise<checkout.StartedCheckout>) => Promise<void>
  onRejected: (apiError: ApiError) => void
}

/** The payment form: the method, the card if it is entered here, and the terms. No part of a card is ever stored. */
export function PaymentForm({ order, amount, methods, cards, isPriceKnown, isReady, onPay, onRejected }: Props) {
  const [error, setError] = useState<unknown>()
  const needsCard = ({ payment_method }: Values) => payment_method === 'credit_card' && cards === 'form'
  const form = useResourceForm<Values, typeof payByCard, void>({
    call: payByCard,
    values: { ...BLANK_CARD, payment_method: initialMethod(methods, order), terms_condition: false },
    toInput: (values) => (needsCard(values) ? { ...order, formData: cardOf(values) } : order),
    fieldNames: fieldOfCard,
    validate: (values) => ({
      ...(needsCard(values) && cardCode?.validateCard(values, new Date())),
      ...(values.payment_method === '' && { payment_method: texts.selectAPaymentMethod }),
      ...(!values.terms_condition && { terms_condition: texts.termsConditionsAreRequired }),
    }),
    save: async (send, setValues, { payment_method }) => {
      if (payment_method === '' || !isReady()) return
      await onPay(payment_method, send).catch((error: unknown) => {
        setError(error)
        if (error instanceof ApiError) {
          onRejected(error)
          // The card stays filled in; its security code has to be entered again each time.
          setValues({ ccv: '' })
        }
        throw error
      })
    },
    isCheckedOnLeave: true,
    // The form stays filled in until the next screen is open: members may return from it.
    onSaved: () => undefined,
  })
  const { element, values } = form
  useEffect(() => {
    // Loaded before the method is chosen; if that fails, choosing it shows the error.
    if (cards === 'form') void loadCardForm().catch(() => undefined)
  }, [cards])
  const chooseMethod = (method: Method) => {
    form.setValues({ payment_method: method })
    saveCheckoutChoice(order.subscription, { method })
  }
  return (
    <form ref={element} noValidate onSubmit={form.submit} aria-label={texts.payment}>
      <Stack gap={20}>
        <PaymentMethods
          offered={methods}
          chosen={values.payment_method}
          error={form.field('payment_method').error}
          onChoose={chooseMethod}
        />
        {needsCard(values) ? (
          <CardForm form={form} />
        ) : (
          values.payment_method && <Note>{NOTICES[values.payment_method]}</Note>
        )}
        <Terms
          isAgreed={values.terms_condition}
          error={form.field('terms_condition').error}
          onChange={(terms_condition) => form.setValues({ terms_condition })}
        />
        <Stack gap="md">
          <PaymentErrors messages={form.messages}>
            <PaymentErrorHelp error={error} />
          </PaymentErrors>
          <Button type="submit" variant="primary" busy={form.isBusy} disabled={!isPriceKnown} style={{ height: 44 }}>
            {needsCard(values) ? format(texts.payAmount, { amount }) : texts.proceedToPaymentTitleCase}
          </Button>
        </Stack>
      </Stack>
    </form>
  )
}

const NOTICES: Record<Method, string> = {
  mobile_wallet: texts.yourPhoneOrBrowserWallet,
  paypal: texts.youllBeRedirectedToPaypal,
  credit_card: texts.cardEntryAtProviderHint,
  bank_transfer: texts.wellShowYouAReference,
}

/** The method chosen before if it is still offered; otherwise a card, or the first one. */
function initialMethod(methods: readonly Method[], order: Order): Method | '' {
  const before = readCheckoutChoice(order.subscription).method
  const preferred = [before, 'credit_card', ...METHODS.map(({ kind }) => kind)]
  return methods.toSorted((one, other) => preferred.indexOf(one) - preferred.indexOf(other))[0] ?? ''
}

/** In the order in which they are offered. */
const METHODS = [
  { kind: 'mobile_wallet', name: texts.googleApplePay, icon: IconDeviceMobile },
  { kind: 'paypal', name: 'PayPal', icon: IconBrandPaypal },
  { kind: 'credit_card', name: texts.creditCard, icon: IconCreditCard },
  { kind: 'bank_transfer', name: texts.bankTransfer, icon: IconBuildingBank },
] as const satisfies { kind: Method; name: string; icon: unknown }[]

type MethodsProps = {
  offered: readonly Method[]
  chosen: string
  error: string | undefined
  onChoose: (method: Method) => void
}

function PaymentMethods({ offered, chosen, error, onChoose }: MethodsProps) {
  const id = useId()
  return (
    <Box component="fieldset" m={0} p={0} bd={0} miw={0} {...(error && { 'aria-describedby': `${id}-error` })}>
      <Text component="legend" inherit fw={560} pb="sm">
        {texts.paymentMethod}
      </Text>
      <Stack gap="sm">
        {METHODS.filter(({ kind }) => offered.includes(kind)).map(({ kind, name, icon: Icon }) => (
          <label key={kind} className={css.method}>
            <input
              type="radio"
              name={id}
              value={kind}
              checked={chosen === kind}
              aria-invalid={error ? true : undefined}
              onChange={() => onChoose(kind)}
            />
            {name}
            <Icon size={20} stroke={1.7} aria-hidden />
          </label>
        ))}
        <FieldError id={`${id}-error`}>{error}</FieldError>
      </Stack>
    </Box>
  )
}

type TermsProps = { isAgreed: boolean; error: string | undefined; onChange: (isAgreed: boolean) => void }

function Terms({ isAgreed, error, onChange }: TermsProps) {
  const id = useId()
  return (
    <div>
      <Group component="label" className={css.terms} gap={10} w="fit-content" mih={24}>
        <input
          type="checkbox"
          checked={isAgreed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{rich(texts.iAgreeToTheTerms, { link: linkToTerms })}</span>
      </Group>
      <FieldError id={id}>{error}</FieldError>
    </div>
  )
}

/** Opened in another tab, so that nothing that was typed is lost. */
const linkToTerms = (inside: ReactNode) => (
  <a href="/terms" target="_blank" rel="noreferrer" style={{ textDecoration: 'underline' }}>
    {inside}
  </a>
)

const FieldError = ({ id, children }: { id: string; children: ReactNode }) =>
  children && (
    <Text id={id} role="alert" inherit fz="xs" c="var(--danger)">
      {children}
    </Text>
  )

const UNAVAILABLE_CODES = ['already_subscribed', 'payment_in_progress', 'provider_unavailable']

/** Links to the screen that shows the result of this payment or an earlier one. */
function PaymentErrorHelp({ error }: { error: unknown }) {
  const isUnknown = error instanceof OfflineError
  if (!isUnknown && !(error instanceof ApiError && UNAVAILABLE_CODES.includes(error.code))) return null
  return (
    <p>
      {rich(isUnknown ? texts.paymentStatusUnknown : texts.seeYourSubscription, {
        link: linkToSubscription,
      })}
    </p>
  )
}
