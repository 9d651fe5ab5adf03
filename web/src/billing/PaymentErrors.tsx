import { Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'

type Props = {
  messages: readonly string[]
  /** What to do about them. */
  children?: ReactNode
}

/** Why a payment failed. The box takes the focus each time there are messages, so that it is visible and read out. */
export function PaymentErrors({ messages, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const text = messages.join('\n')
  useEffect(() => {
    if (text) box.current?.focus()
  }, [text])
  return (
    <div ref={box} tabIndex={-1} hidden={!text}>
      <ErrorMessages messages={messages}>{children}</ErrorMessages>
    </div>
  )
}

/** The error of a dialog; read out when it appears. */
export const ErrorText = ({ children }: { children: string | undefined }) => (
  <Text role="alert" inherit fz="sm" c="var(--danger)" hidden={!children}>
    {children}
  </Text>
)
