import { cloud } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Leaves for the provider’s page, which returns to one of the pool’s. Returns when that failed. */
export async function connectProvider(provider: cloud.CloudProviderName): Promise<void> {
  try {
    const { url } = await callApi(cloud.connect, { provider })
    location.assign(url)
    // The page stays as it is until the browser has left it.
    await new Promise(() => undefined)
  } catch (error) {
    void toastError(format(texts.couldntConnect, { name: cloud.CLOUD_NAMES[provider] }), error)
  }
}
