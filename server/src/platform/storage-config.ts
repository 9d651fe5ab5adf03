import * as z from 'zod/mini'

/** A bucket at Amazon S3 or a compatible server. */
export type BucketConfig = {
  bucket: string
  /** Prefix of every key: '', or a path that ends with a slash. */
  prefix: string
  region: string
  /** The server's URL; undefined for Amazon's own. */
  endpoint: string | undefined
  /** The bucket is in the path of the URL, not in its host name. */
  pathStyle: boolean
  /** Undefined if the Amazon SDK finds them: by its variables, profile or the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Set if browsers download from storage directly; `endpoint` undefined: the same as the server uses. */
  redirect: { endpoint: string | undefined } | undefined
}

/** An invalid storage setting; the message names it. */
export class StorageConfigError extends Error {}

/** Environment settings for storage. */
export const storageEnvironment = {
  STORAGE_URL: z.optional(z.string()),
  STORAGE_ACCESS_KEY_ID: z.optional(z.string()),
  STORAGE_SECRET_ACCESS_KEY: z.optional(z.string()),
  AWS_REGION: z.optional(z.string()),
}

type RawSettings = {
  STORAGE_URL?: string | undefined
  STORAGE_ACCESS_KEY_ID?: string | undefined
  STORAGE_SECRET_ACCESS_KEY?: string | undefined
  AWS_REGION?: string | undefined
}

const EXAMPLE = 's3://bucket/prefix?endpoint=https://s3.example&region=eu-central-1'
const KNOWN = ['endpoint', 'region', 'path_style', 'redirect']

/** Returns the bucket in STORAGE_URL; undefined for the folder in DATA_DIR. Throws StorageConfigError. */
export function readBucket(rawSettings: RawSettings): BucketConfig | undefined {
  const text = rawSettings.STORAGE_URL
  if (text === undefined) return undefined
  const reject = (why: string): never => {
    throw new StorageConfigError(`Invalid STORAGE_URL="${text.replace(/\/\/[^/?]*@/, '//…@')}": ${why}.`)
  }
  if (!/^s3:\/\//.test(text) || !URL.canParse(text)) return reject(`expected a bucket URL, such as ${EXAMPLE}`)
  const { hostname, port, pathname, searchParams, username, password } = new URL(text)
  if (username || password) reject('set the keys in STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY instead')
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/.test(hostname) || port)
    reject(`the bucket is missing, expected a URL such as ${EXAMPLE}`)
  const unknown = [...searchParams.keys()].find((name) => !KNOWN.includes(name))
  if (unknown) reject(`unknown option "${unknown}"; use ${KNOWN.join(', ')}`)
  const one = (name: string) => searchParams.get(name) || undefined
  const endpoint = one('endpoint')
  if (endpoint && !isServerName(endpoint)) reject('endpoint must be the URL of a server, such as https://s3.example')
  const region = one('region') ?? rawSettings.AWS_REGION ?? (endpoint ? 'us-east-1' : undefined)
  if (!region) return reject('the region is missing, for example ?region=eu-central-1')
  const pathStyle = one('path_style') ?? (endpoint ? 'on' : 'off')
  if (pathStyle !== 'on' && pathStyle !== 'off') reject('path_style must be "on" or "off"')
  const redirect = one('redirect') ?? 'off'
  if (!['on', 'off'].includes(redirect) && !isServerName(redirect))
    reject('redirect must be "on", "off" or the URL at which browsers reach the storage, such as https://media.example')
  return {
    bucket: hostname,
    prefix: pathname.replace(/^\/+|\/+$/g, '').replace(/.$/, '$&/'),
    region,
    endpoint,
    pathStyle: pathStyle === 'on',
    credentials: readCredentials(rawSettings),
    redirect: redirect === 'off' ? undefined : { endpoint: redirect === 'on' ? endpoint : redirect },
  }
}

const isServerName = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, username } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && !search && !username
}

/** Returns the keys for buckets; undefined if the Amazon SDK finds them. Throws StorageConfigError. */
export function readCredentials(rawSettings: RawSettings): BucketConfig['credentials'] {
  const { STORAGE_ACCESS_KEY_ID: accessKeyId, STORAGE_SECRET_ACCESS_KEY: secretAccessKey } = rawSettings
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey }
  if (!accessKeyId && !secretAccessKey) return undefined
  const [setAlone, missing] = accessKeyId
    ? ['STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY']
    : ['STORAGE_SECRET_ACCESS_KEY', 'STORAGE_ACCESS_KEY_ID']
  throw new StorageConfigError(`${setAlone} also requires ${missing}. Set all of them or none.`)
}
