import { cloud } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Config } from '../platform/config.ts'
import { dropbox } from './dropbox.ts'
import { googleDrive } from './google-drive.ts'
import type { CloudProvider } from './provider.ts'

const CREATE = { dropbox, google_drive: googleDrive }

type Deps = { config: Pick<Config, 'cloud'> }

/** Returns a provider; undefined if the operator has set no keys for it. */
export function findProvider({ config }: Deps, name: cloud.CloudProviderName): CloudProvider | undefined {
  const app = config.cloud[name]
  return app && CREATE[name](app, config.cloud.testUrl)
}

/** Throws `cloud_not_configured`. */
export function requireProvider(deps: Deps, name: cloud.CloudProviderName): CloudProvider {
  const provider = findProvider(deps, name)
  if (provider) return provider
  throw new ApiError('cloud_not_configured', `This pool doesn’t send to ${cloud.CLOUD_NAMES[name]}.`)
}

/** The providers that the operator has set up. */
export const listProviders = ({ config }: Deps): cloud.CloudProviderName[] =>
  cloud.CLOUD_PROVIDERS.filter((name) => config.cloud[name] !== undefined)
