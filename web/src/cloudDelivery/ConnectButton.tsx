import { cloud } from '@dubplate/contract'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { connectProvider } from './connecting.ts'
import * as texts from './texts.ts'

type Props = { provider: cloud.CloudProviderName; label?: string; isPrimary?: boolean }

/** Opens the provider’s page. */
export function ConnectButton({ provider, label, isPrimary = false }: Props) {
  const [isBusy, setBusy] = useState(false)
  const connect = async () => {
    setBusy(true)
    await connectProvider(provider)
    setBusy(false)
  }
  return (
    <Button variant={isPrimary ? 'primary' : 'plain'} busy={isBusy} onClick={() => void connect()}>
      {label ?? format(texts.connect, { name: cloud.CLOUD_NAMES[provider] })}
    </Button>
  )
}
