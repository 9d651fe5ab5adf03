import { cloud } from '@dubplate/contract'
import { formatList } from '../format/formatList.ts'
import { format } from '../format/message.ts'
import { usePool } from '../platform/pool.ts'
import * as texts from './texts.ts'

/** 'Dropbox or Google Drive': those that the pool offers. */
export const namesOf = (providers: readonly cloud.CloudProviderName[]): string =>
  formatList(
    providers.map((provider) => cloud.CLOUD_NAMES[provider]),
    'disjunction',
  )

/** The label of the action that sends songs: 'Send to Dropbox'; undefined if the pool offers no cloud storage. */
export function useSendLabel(): string | undefined {
  const [first, ...others] = usePool().cloud_providers
  if (!first) return undefined
  return others.length > 0 ? texts.sendToCloudStorage : format(texts.sendTo, { providers: cloud.CLOUD_NAMES[first] })
}
