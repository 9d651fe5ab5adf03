import type { settings } from '@dubplate/contract'
import type { Config } from '../platform/config.ts'

type Part = settings.Everything['environment'][number]
type Fact = Part['facts'][number]

const fact = (name: string, what: string, value: string | undefined): Fact => ({
  name,
  what,
  value: value || 'not set',
})

/** Host and port of an address; neither user nor password, nor what stands behind it. */
const placeIn = (address: string): string => {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

/** What only the environment says, without its secrets. */
export const environmentOf = (config: Config): Part[] => [
  { part: 'Where it is', facts: placeFacts(config) },
  { part: 'Mail', facts: mailFacts(config) },
  { part: 'Money', facts: moneyFacts(config) },
  { part: 'Who comes in', facts: doorFacts(config) },
]

const placeFacts = ({ publicUrl, databaseUrl, bucket, dataDir, importFolders, trustProxy, store }: Config): Fact[] => [
  fact('PUBLIC_URL', 'The address people use', publicUrl),
  fact('DATABASE_URL', 'Database', databaseUrl ? nameOfDatabase(databaseUrl) : 'the embedded one'),
  fact('STORAGE_URL', 'Music and pictures', bucket ? nameOfBucket(bucket) : 'a folder of DATA_DIR'),
  fact('DATA_DIR', 'Folder', dataDir),
  fact('IMPORT_FOLDERS', 'Folders to import from', importFolders.join(', ')),
  fact('TRUST_PROXY', 'Proxies that are believed', Array.isArray(trustProxy) ? trustProxy.join(', ') : `${trustProxy}`),
  fact('SHOPIFY_STORE', 'Store at Shopify', store && placeIn(store.origin)),
]

const nameOfDatabase = (address: string): string => {
  const { host, pathname } = new URL(address)
  return `${host || 'a socket'}${pathname}`
}

const nameOfBucket = ({ bucket, prefix, endpoint, region }: NonNullable<Config['bucket']>): string =>
  `${bucket}/${prefix} at ${endpoint ? placeIn(endpoint) : `Amazon, ${region}`}`

const mailFacts = ({ smtpUrl, inbound }: Config): Fact[] => [
  fact('SMTP_URL', 'Mail server', smtpUrl && placeIn(smtpUrl)),
  fact('INBOUND_ADDRESS', 'Answers by mail', inbound && `${inbound.address.local}@${inbound.address.domain}`),
]

const moneyFacts = ({ payments }: Config): Fact[] => [
  fact('GATEWAYS', 'Who takes the money', payments.gateways.join(', ')),
  fact('STRIPE_CHECKOUT', 'Cards at Stripe', payments.stripe?.checkout),
  fact('PAYPAL_API', 'PayPal', payments.paypal && placeIn(payments.paypal.api)),
  fact('INVOICE_FROM', 'Who invoices', payments.invoice.seller.name || 'the pool, by its name'),
  fact('TAX_PERCENT', 'Tax in prices', `${payments.invoice.tax.label} ${payments.invoice.tax.percent} %`),
]

const doorFacts = ({ oidc, staffTwoStep, staffIdleHours, demo }: Config): Fact[] => [
  fact('OIDC_ISSUER', 'Sign-in elsewhere', oidc && `${oidc.name}, ${oidc.issuer}`),
  fact('STAFF_TWO_STEP', 'Two-step sign-in of staff', staffTwoStep),
  fact('STAFF_IDLE_HOURS', 'Hours until an idle staff session ends', `${staffIdleHours}`),
  fact('DEMO', 'The demo', demo),
]
