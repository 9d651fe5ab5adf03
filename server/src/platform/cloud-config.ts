import * as z from 'zod/mini'

/** The keys of an app that the operator registered with a provider of cloud storage. */
export type CloudApp = { clientId: string; clientSecret: string }

/** Where members can have files sent; a provider without keys is not offered. */
export type CloudConfig = {
  dropbox: CloudApp | undefined
  google_drive: CloudApp | undefined
  /** The URL of a fake server for all providers; only for tests. */
  testUrl: string | undefined
}

/** A conflict between the settings, as a sentence. */
export class CloudConfigError extends Error {}

const key = z.string().check(z.regex(/^[\x21-\x7e]{5,200}$/))

/** Environment settings for cloud storage. */
export const cloudEnvironment = {
  DROPBOX_APP_KEY: z.optional(key),
  DROPBOX_APP_SECRET: z.optional(key),
  GOOGLE_DRIVE_CLIENT_ID: z.optional(key),
  GOOGLE_DRIVE_CLIENT_SECRET: z.optional(key),
  CLOUD_TEST_URL: z.optional(z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/ })),
}

export const CLOUD_EXPECTED_VALUES = {
  DROPBOX_APP_KEY: 'the app key from the Dropbox App Console, without spaces',
  DROPBOX_APP_SECRET: 'the app secret from the Dropbox App Console, without spaces',
  GOOGLE_DRIVE_CLIENT_ID:
    'an OAuth client ID from the Google Cloud console, such as 123-abc.apps.googleusercontent.com',
  GOOGLE_DRIVE_CLIENT_SECRET: 'the secret of that OAuth client, without spaces',
  CLOUD_TEST_URL: 'a URL on this machine, such as http://localhost:4000; only for tests',
}

const environment = z.object(cloudEnvironment)

/** Throws CloudConfigError if only one of two keys is set. */
export function readCloud(value: z.output<typeof environment>): CloudConfig {
  return {
    dropbox: readApp(value, 'DROPBOX_APP_KEY', 'DROPBOX_APP_SECRET'),
    google_drive: readApp(value, 'GOOGLE_DRIVE_CLIENT_ID', 'GOOGLE_DRIVE_CLIENT_SECRET'),
    testUrl: value.CLOUD_TEST_URL?.replace(/\/$/, ''),
  }
}

type KeyName = 'DROPBOX_APP_KEY' | 'DROPBOX_APP_SECRET' | 'GOOGLE_DRIVE_CLIENT_ID' | 'GOOGLE_DRIVE_CLIENT_SECRET'

function readApp(value: z.output<typeof environment>, idName: KeyName, secretName: KeyName): CloudApp | undefined {
  const [clientId, clientSecret] = [value[idName], value[secretName]]
  if (clientId === undefined && clientSecret === undefined) return undefined
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret }
  const [set, missing] = clientId === undefined ? [secretName, idName] : [idName, secretName]
  throw new CloudConfigError(`${set} also requires ${missing}. Set both or neither.`)
}
