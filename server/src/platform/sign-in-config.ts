import * as z from 'zod/mini'
import { ConfigError } from './config-error.ts'

/** Rules for the sessions of staff, and the operator's identity provider. */
export type SignInConfig = {
  /** `required`: staff must turn on two-factor authentication before they can use the back office. */
  staffTwoStep: 'optional' | 'required'
  /** Staff sessions end after this many hours without a request. */
  staffIdleHours: number
  /** The operator's identity provider (OpenID Connect); undefined if there is none. */
  oidc: OidcConfig | undefined
}

export type OidcConfig = { issuer: string; clientId: string; clientSecret: string; name: string }

/** Over plain HTTP, others on the network could forge sign-ins: it is only allowed on this machine. */
function isSafeIssuer(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}

/** Environment settings for signing in. */
export const signInEnvironment = {
  STAFF_TWO_STEP: z._default(z.enum(['optional', 'required']), 'optional'),
  STAFF_IDLE_HOURS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(720)), 12),
  OIDC_ISSUER: z.optional(z.string().check(z.refine(isSafeIssuer))),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  OIDC_NAME: z.optional(z.string().check(z.maxLength(40))),
}

export const SIGN_IN_EXPECTED_VALUES = {
  STAFF_TWO_STEP: '"optional" or "required"',
  STAFF_IDLE_HOURS: 'a number of hours from 1 to 720',
  OIDC_ISSUER: 'the https URL of the identity provider, such as https://id.example',
  OIDC_NAME: 'a name of at most 40 characters',
}

const environment = z.object(signInEnvironment)

/** Throws ConfigError if only some settings of the identity provider are set. */
export function readSignIn(value: z.output<typeof environment>): SignInConfig {
  return { staffTwoStep: value.STAFF_TWO_STEP, staffIdleHours: value.STAFF_IDLE_HOURS, oidc: readOidc(value) }
}

const OIDC_SETTINGS = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const

/** Requires all of its settings, or none. */
function readOidc(value: z.output<typeof environment>): OidcConfig | undefined {
  const missing = OIDC_SETTINGS.filter((name) => value[name] === undefined)
  if (missing.length === OIDC_SETTINGS.length) return undefined
  if (missing.length > 0) {
    const definedValues = OIDC_SETTINGS.filter((name) => value[name] !== undefined)
    throw new ConfigError(`${definedValues.join(', ')} also requires ${missing.join(', ')}. Set all of them or none.`)
  }
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '', OIDC_NAME = '' } = value
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, name: OIDC_NAME }
}
