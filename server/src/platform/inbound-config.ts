import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import * as z from 'zod/mini'

/** How replies by email are received: one address, by one or more ways. */
export type InboundConfig = {
  /** Both in lower case: `help` and `pool.example`. */
  address: { local: string; domain: string }
  /** The pool's own SMTP server. */
  smtp: InboundSmtp | undefined
  /** The last part of the webhook's URL. */
  webhookSecret: string | undefined
  imap: InboundImap | undefined
}

export type InboundSmtp = { host: string; port: number; tls: { cert: string; key: string } | undefined }

/** A mailbox to read email from. */
export type InboundImap = {
  host: string
  port: number
  /** Implicit TLS; otherwise STARTTLS. */
  secure: boolean
  user: string
  password: string
  mailbox: string
}

/** An invalid setting for incoming email; the message names it. */
export class InboundConfigError extends Error {}

/**
 * A ticket's address has `+`, number, `.` and signature after this part, and may have 64 characters before the @ (RFC
 * 5321, 4.5.3.1.1).
 */
const MAX_LOCAL_PART_LENGTH = 20
const ADDRESS = new RegExp(
  `^[a-z0-9](?:[a-z0-9._-]{0,${MAX_LOCAL_PART_LENGTH - 1}})@(?:[a-z0-9-]+\\.)*[a-z0-9-]+$`,
  'i',
)

/** Environment settings for incoming email. */
export const inboundEnvironment = {
  INBOUND_ADDRESS: z.optional(z.string().check(z.maxLength(200), z.regex(ADDRESS))),
  INBOUND_SMTP_PORT: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(65535))),
  INBOUND_SMTP_HOST: z.optional(z.string().check(z.minLength(1))),
  INBOUND_SMTP_CERT: z.optional(z.string()),
  INBOUND_SMTP_KEY: z.optional(z.string()),
  INBOUND_WEBHOOK_SECRET: z.optional(z.string()),
  INBOUND_IMAP_URL: z.optional(z.string()),
}

export const INBOUND_EXPECTED_VALUES = {
  INBOUND_ADDRESS: `an email address with up to ${MAX_LOCAL_PART_LENGTH} letters, digits, dots or hyphens before the @, such as help@pool.example`,
  INBOUND_SMTP_PORT: 'a port number from 1 to 65535',
  INBOUND_SMTP_HOST: 'a host name or IP address to listen on, such as 127.0.0.1',
}

const environment = z.object(inboundEnvironment)
type RawSettings = z.output<typeof environment>

const INBOUND_SETTINGS = ['INBOUND_SMTP_PORT', 'INBOUND_WEBHOOK_SECRET', 'INBOUND_IMAP_URL'] as const
const SMTP_SETTINGS = ['INBOUND_SMTP_HOST', 'INBOUND_SMTP_CERT', 'INBOUND_SMTP_KEY'] as const

/** Reads the settings; undefined if replies by email are off. Throws InboundConfigError. */
export function readInbound(rawSettings: RawSettings): InboundConfig | undefined {
  const smtpSetting = SMTP_SETTINGS.find((name) => rawSettings[name] !== undefined)
  if (smtpSetting && rawSettings.INBOUND_SMTP_PORT === undefined) rejectAlone(smtpSetting, 'INBOUND_SMTP_PORT')
  const inboundSetting = INBOUND_SETTINGS.find((name) => rawSettings[name] !== undefined)
  if (rawSettings.INBOUND_ADDRESS === undefined) {
    if (inboundSetting) rejectAlone(inboundSetting, 'INBOUND_ADDRESS')
    return undefined
  }
  if (!inboundSetting) rejectAlone('INBOUND_ADDRESS', 'INBOUND_SMTP_PORT, INBOUND_WEBHOOK_SECRET or INBOUND_IMAP_URL')
  const [local = '', domain = ''] = rawSettings.INBOUND_ADDRESS.toLowerCase().split('@')
  return {
    address: { local, domain },
    smtp: readSmtp(rawSettings),
    webhookSecret: readSecret(rawSettings.INBOUND_WEBHOOK_SECRET),
    imap: readImap(rawSettings.INBOUND_IMAP_URL),
  }
}

function rejectAlone(name: string, missing: string): never {
  throw new InboundConfigError(`${name} also requires ${missing}. Set all of them or none.`)
}

function readSmtp(rawSettings: RawSettings): InboundSmtp | undefined {
  const {
    INBOUND_SMTP_PORT: port,
    INBOUND_SMTP_HOST: host,
    INBOUND_SMTP_CERT: cert,
    INBOUND_SMTP_KEY: key,
  } = rawSettings
  if (port === undefined) return undefined
  if (cert && !key) rejectAlone('INBOUND_SMTP_CERT', 'INBOUND_SMTP_KEY')
  if (key && !cert) rejectAlone('INBOUND_SMTP_KEY', 'INBOUND_SMTP_CERT')
  return { host: host ?? '127.0.0.1', port, tls: cert && key ? readCertificate(cert, key) : undefined }
}

function readCertificate(certFile: string, keyFile: string): { cert: string; key: string } {
  const cert = readPem('INBOUND_SMTP_CERT', certFile)
  const key = readPem('INBOUND_SMTP_KEY', keyFile)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new InboundConfigError(
      `Invalid INBOUND_SMTP_CERT="${certFile}" or INBOUND_SMTP_KEY="${keyFile}": ${(error as Error).message}.`,
    )
  }
  return { cert, key }
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InboundConfigError(`Could not read ${name}="${file}": ${(error as Error).message}.`)
  }
}

/** Its error messages do not repeat the secret. */
function readSecret(secret: string | undefined): string | undefined {
  if (secret === undefined || /^[\w-]{24,200}$/.test(secret)) return secret
  throw new InboundConfigError(
    'Invalid INBOUND_WEBHOOK_SECRET: expected 24 to 200 random letters, digits, hyphens or underscores.',
  )
}

const IMAP_EXAMPLE = 'imaps://user:password@mail.example/INBOX'
const IMAP_PORTS: Record<string, number> = { 'imaps:': 993, 'imap:': 143 }

function readImap(text: string | undefined): InboundImap | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const standard = IMAP_PORTS[url?.protocol ?? '']
  if (!url?.hostname || !standard || !url.username || !url.password || url.search || url.hash) {
    // The URL may contain a password, so the message does not repeat any of it.
    throw new InboundConfigError(`Invalid INBOUND_IMAP_URL: expected a mailbox URL, such as ${IMAP_EXAMPLE}.`)
  }
  try {
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || standard,
      secure: url.protocol === 'imaps:',
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      mailbox: decodeURIComponent(url.pathname.slice(1)) || 'INBOX',
    }
  } catch {
    throw new InboundConfigError('Invalid INBOUND_IMAP_URL: write % as %25.')
  }
}
