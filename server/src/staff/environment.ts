import { cloud, type settings } from '@dubplate/contract'
import type { Config } from '../platform/config.ts'

type SettingsPart = settings.Everything['environment'][number]
type Fact = SettingsPart['facts'][number]

const fact = (name: string, what: string, value: string | undefined): Fact => ({
  name,
  what,
  value: value || 'Not set',
})

/** Returns host and port of a URL, without user, password and path. */
const formatUrl = (address: string): string => {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

/** Returns the values that only the environment can set, without secrets. */
export const describeEnvironment = (config: Config): SettingsPart[] => [
  { part: 'Hosting', facts: serverFacts(config) },
  { part: 'Email', facts: mailFacts(config) },
  { part: 'Payments', facts: moneyFacts(config) },
  { part: 'Cloud storage', facts: cloudFacts(config) },
  { part: 'Sign-in', facts: signInFacts(config) },
]

const serverFacts = ({ publicUrl, databaseUrl, bucket, dataDir, importFolders, trustProxy, store }: Config): Fact[] => [
  fact('PUBLIC_URL', 'Public URL', publicUrl),
  fact('DATABASE_URL', 'Database', databaseUrl ? formatDatabase(databaseUrl) : 'embedded PostgreSQL'),
  fact('STORAGE_URL', 'Music and picture storage', bucket ? formatBucket(bucket) : 'local folder in DATA_DIR'),
  fact('DATA_DIR', 'Data folder', dataDir),
  fact('IMPORT_FOLDERS', 'Import folders', importFolders.join(', ')),
  fact('TRUST_PROXY', 'Trusted proxies', Array.isArray(trustProxy) ? trustProxy.join(', ') : `${trustProxy}`),
  fact('SHOPIFY_STORE', 'Shopify store', store && formatUrl(store.origin)),
]

const formatDatabase = (address: string): string => {
  const { host, pathname } = new URL(address)
  return `${host || 'a socket'}${pathname}`
}

const formatBucket = ({ bucket, prefix, endpoint, region }: NonNullable<Config['bucket']>): string =>
  `${bucket}/${prefix} at ${endpoint ? formatUrl(endpoint) : `Amazon S3, ${region}`}`

const mailFacts = ({ smtpUrl, inbound }: Config): Fact[] => [
  fact('SMTP_URL', 'SMTP server', smtpUrl && formatUrl(smtpUrl)),
  fact(
    'INBOUND_ADDRESS',
    'Inbound email (ticket replies)',
    inbound && `${inbound.address.local}@${inbound.address.domain}`,
  ),
]

const moneyFacts = ({ payments }: Config): Fact[] => [
  fact('GATEWAYS', 'Payment providers', payments.gateways.join(', ')),
  fact('STRIPE_CHECKOUT', 'Stripe card checkout', payments.stripe?.checkout),
  fact('PAYPAL_API', 'PayPal', payments.paypal && formatUrl(payments.paypal.api)),
  fact('INVOICE_FROM', 'Invoice issuer', payments.invoice.seller.name || 'site name'),
  fact('TAX_PERCENT', 'Tax included in prices', `${payments.invoice.tax.label} ${payments.invoice.tax.percent} %`),
]

/** With the return URL, which has to be entered at the provider. */
const cloudFacts = ({ cloud: { dropbox, google_drive }, publicUrl }: Config): Fact[] => [
  fact('DROPBOX_APP_KEY', 'Dropbox app', dropbox?.clientId),
  fact('GOOGLE_DRIVE_CLIENT_ID', 'Google Drive OAuth client', google_drive?.clientId),
  fact('PUBLIC_URL', 'Return URL for Dropbox', `${publicUrl}${cloud.CLOUD_RETURN_PATHS.dropbox}`),
  fact('PUBLIC_URL', 'Return URL for Google Drive', `${publicUrl}${cloud.CLOUD_RETURN_PATHS.google_drive}`),
]

const signInFacts = ({ oidc, staffTwoStep, staffIdleHours, demo }: Config): Fact[] => [
  fact('OIDC_ISSUER', 'Single sign-on (OIDC)', oidc && `${oidc.name}, ${oidc.issuer}`),
  fact('STAFF_TWO_STEP', 'Two-factor authentication for staff', staffTwoStep),
  fact('STAFF_IDLE_HOURS', 'Hours until an idle staff session ends', `${staffIdleHours}`),
  fact('DEMO', 'Demo mode', demo),
]
