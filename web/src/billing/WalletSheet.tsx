import { checkout, type ReplyOf } from '@dubplate/contract'
import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { messagesOf } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { Order } from './checkout.ts'
import { money, toDecimalString } from './money.ts'
import { PaymentErrors } from './PaymentErrors.tsx'
import { Note } from './PaymentPage.tsx'
import * as texts from './texts.ts'

/** The tokens of test mode. */
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
  const { mutate, variables, isPending, error } = useApiMutation(checkout.completeWallet)
  const buttonProps = (applePay: string) => ({
    disabled: isPending,
    busy: isPending && variables.applePay === applePay,
    onClick: () => mutate({ ...order, applePay }, { onSuccess: onDone }),
  })
  return (
    <Dialog title={texts.testWallet} onClose={() => isPending || onClose()}>
      <Stack gap="lg">
        <Group
          gap="lg"
          wrap="nowrap"
          align="baseline"
          justify="space-between"
          p="14px 16px"
          bdrs="md"
          bg="var(--surface-2)"
          style={{ overflowWrap: 'anywhere' }}
        >
          <span>{detail.label}</span>
          <Text component="b" className="num" fz="xl" fw={680} style={{ whiteSpace: 'nowrap' }}>
            {money(toDecimalString(detail.amount), detail.currency.toUpperCase())}
          </Text>
        </Group>
        <Note isSmall>{texts.testModeNoRealMoney}</Note>
        <PaymentErrors messages={error ? messagesOf(error) : []} />
        <SimpleGrid cols={3} spacing="sm">
          <Button variant="primary" data-autofocus {...buttonProps(WALLET_ACCEPTS)}>
            {texts.pay}
          </Button>
          <Button {...buttonProps(WALLET_DECLINES)}>{texts.decline}</Button>
          <Button disabled={isPending} onClick={onClose}>
            {texts.cancel}
          </Button>
        </SimpleGrid>
      </Stack>
    </Dialog>
  )
}
