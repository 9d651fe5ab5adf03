import * as z from 'zod/mini'
import { KIT_ERRORS, kitSource } from './booth-kits.ts'
import { leftOut } from './download-fields.ts'
import { downloadSummary } from './download-summaries.ts'
import { endpoint, id, nothing, page, pagination } from './endpoint.ts'

/** Sending downloads to a member's cloud storage. */

export const CLOUD_PROVIDERS = ['dropbox', 'google_drive'] as const
export type CloudProviderName = (typeof CLOUD_PROVIDERS)[number]

export const CLOUD_NAMES: Record<CloudProviderName, string> = { dropbox: 'Dropbox', google_drive: 'Google Drive' }

/** Where a provider sends the member back to. */
export const CLOUD_RETURN_PATHS: Record<CloudProviderName, string> = {
  dropbox: '/cloud/dropbox',
  google_drive: '/cloud/google-drive',
}

/** The most files of one delivery: as many as a crate can have. */
export const MAX_DELIVERY_FILES = 2000

export const DELIVERIES_PER_PAGE = 10
export const DELIVERY_FILES_PER_PAGE = 50

/** `already_there` was found in the member's storage with the same content, which counts no download. */
export const FILE_STATES = ['waiting', 'sending', 'sent', 'already_there', 'failed', 'cancelled'] as const
export type FileState = (typeof FILE_STATES)[number]

const provider = z.enum(CLOUD_PROVIDERS, 'Choose Dropbox or Google Drive.')

const connection = z.object({
  provider,
  /** The email address of the account at the provider, or its name. */
  account_name: z.string(),
  /** `expired` once the provider no longer accepts it: the member has to connect again. */
  state: z.enum(['connected', 'expired']),
  connected_at: z.string(),
  /** Whether songs are sent as they are added to the crate. */
  always_send_crate: z.boolean(),
  /** Files that are still to be sent. */
  open_files: z.number(),
})
export type CloudConnection = z.output<typeof connection>

const connections = z.object({
  /** Those that the operator has set up. */
  providers: z.array(provider),
  connections: z.array(connection),
})
export type CloudConnections = z.output<typeof connections>

export const getConnections = endpoint({
  path: 'cloud/connections.json',
  access: 'member',
  summary: 'List the providers of cloud storage that this pool offers, and those that the member has connected.',
  input: nothing,
  reply: connections,
})

export const connect = endpoint({
  path: 'cloud/connect.json',
  access: 'member',
  summary:
    'Get the URL of the provider’s page on which the member allows access. It returns the browser to /cloud/dropbox or /cloud/google-drive.',
  input: z.object({ provider }),
  reply: z.object({ url: z.string() }),
  errors: ['cloud_not_configured'],
})

const returned = (name: string) =>
  z.string(`${name} is missing.`).check(z.minLength(1, `${name} is missing.`), z.maxLength(4096))

export const finishConnection = endpoint({
  path: 'cloud/finish-connection.json',
  access: 'member',
  summary: 'Complete a connection with the code and state that the provider added to the return URL.',
  input: z.object({ provider, code: returned('code'), state: returned('state') }),
  reply: z.object({ connection }),
  errors: ['cloud_not_configured', 'cloud_connection_expired', 'cloud_access_refused', 'provider_unavailable'],
})

export const disconnect = endpoint({
  path: 'cloud/disconnect.json',
  access: 'member',
  summary:
    'Cancel what is still to be sent, delete the connection with its history, and revoke the access at the provider. Files that were sent stay there.',
  input: z.object({ provider }),
  reply: connections,
  errors: ['unknown_connection'],
})

const CONNECTION_ERRORS = ['cloud_not_configured', 'unknown_connection', 'cloud_connection_expired'] as const

export const alwaysSendCrate = endpoint({
  path: 'cloud/always-send-crate.json',
  access: 'downloader',
  summary: 'Turn on or off whether songs are sent as they are added to the crate.',
  input: z.object({ provider, is_on: z.boolean('Choose on or off.') }),
  reply: z.object({ connection }),
  errors: [...CONNECTION_ERRORS, 'plan_feature_required'],
})

const delivery = z.object({
  delivery_id: z.number(),
  provider,
  title: z.string(),
  created_at: z.string(),
  /** Whether these songs were sent because they were added to the crate. */
  is_automatic: z.boolean(),
  /** How many of its files are in which state. */
  counts: z.object({
    waiting: z.number(),
    sending: z.number(),
    sent: z.number(),
    already_there: z.number(),
    failed: z.number(),
    cancelled: z.number(),
  }),
  /** The share of the files that is done, 0 to 1; of the one being sent, the part that was sent. */
  progress: z.number(),
  /** Why the last file failed or the next one has to wait, as a sentence; null if neither is the case. */
  problem: z.nullable(z.string()),
})
export type CloudDelivery = z.output<typeof delivery>

export const send = endpoint({
  path: 'cloud/send.json',
  access: 'downloader',
  summary:
    'Send songs to the member’s cloud storage, named and tagged as the default download profile says. A worker sends them; each file is counted as a download when it is sent.',
  input: z.object({
    provider,
    source: kitSource,
    ...leftOut,
  }),
  reply: z.object({ delivery }),
  errors: [
    ...CONNECTION_ERRORS,
    ...KIT_ERRORS,
    'plan_feature_required',
    'nothing_to_download',
    'too_many_files',
    'unknown_song',
  ],
})

export const getSendSummary = endpoint({
  path: 'cloud/send-summary.json',
  access: 'member',
  summary:
    'Get the number of files that sending songs to cloud storage would include, their size, and how many downloads they use.',
  input: z.object({ source: kitSource }),
  reply: z.extend(downloadSummary, {
    /** The name of the default download profile, whose folders and names are used; null without one. */
    profile: z.nullable(z.string()),
  }),
  errors: KIT_ERRORS,
})

export const getDeliveries = endpoint({
  path: 'cloud/deliveries.json',
  access: 'member',
  summary: 'List the member’s deliveries, newest first.',
  input: z.object({ page }),
  reply: z.object({ results: z.array(delivery), pagination }),
})

const deliveryFile = z.object({
  delivery_file_id: z.number(),
  song_version_id: z.number(),
  entity_id: z.number(),
  title: z.string(),
  artist: z.string(),
  version_label: z.string(),
  state: z.enum(FILE_STATES),
  /** Why it failed, or has to wait, as a sentence. */
  reason: z.nullable(z.string()),
  bytes: z.nullable(z.number()),
  sent_bytes: z.number(),
  /** Where it is in the member’s storage. */
  path: z.nullable(z.string()),
})
export type CloudDeliveryFile = z.output<typeof deliveryFile>

export const getDeliveryFiles = endpoint({
  path: 'cloud/delivery-files.json',
  access: 'member',
  summary: 'List the files of a delivery in its order, those that failed first.',
  input: z.object({ delivery_id: id('delivery_id'), page }),
  reply: z.object({ results: z.array(deliveryFile), pagination }),
  errors: ['unknown_delivery'],
})

export const retryDelivery = endpoint({
  path: 'cloud/retry.json',
  access: 'downloader',
  summary: 'Send the failed and cancelled files of a delivery again.',
  input: z.object({ delivery_id: id('delivery_id') }),
  reply: z.object({ delivery }),
  errors: [...CONNECTION_ERRORS, 'unknown_delivery'],
})

export const cancelDelivery = endpoint({
  path: 'cloud/cancel.json',
  access: 'member',
  summary: 'Cancel the files of a delivery that are still to be sent. Downloads already counted for them are refunded.',
  input: z.object({ delivery_id: id('delivery_id') }),
  reply: z.object({ delivery }),
  errors: ['unknown_delivery'],
})
