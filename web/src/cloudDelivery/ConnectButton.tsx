import { cloud } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { useAction } from '../ui/useAction.ts'
import { connectProvider } from './connecting.ts'
import * as texts from './texts.ts'

type Props = { provider: cloud.CloudProviderName; label?: string; isPrimary?: boolean }

/** Opens the provider’s page. */
export function ConnectButton({ provider, label, isPrimary = false }: Props) {
  const [connect, isBusy] = useAction(() => connectProvider(provider))
  return (
    <Button variant={isPrimary ? 'primary' : 'plain'} busy={isBusy} onClick={connect}>
      {label ?? format(texts.connect, { name: cloud.CLOUD_NAMES[provider] })}
    </Button>
  )
}
