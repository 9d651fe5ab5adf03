import { timingSafeEqual } from 'node:crypto'
import { membership } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { ExternalSignInError } from './external-sign-in-error.ts'
import type { Identity, IdentityProvider, PendingSignIn } from './identity-provider.ts'
import { consumeLink, createMailedLink } from './mailed-links.ts'
import { UNUSABLE_PASSWORD_HASH } from './password.ts'
import type { ClientInfo } from './session.ts'
import { openSessionFor } from './sign-in-policy.ts'

/** The path where single sign-on begins, and the path it returns to. */
export const EXTERNAL_SIGN_IN_PATH = '/sign-in/oidc'
const RETURN_PATH = `${EXTERNAL_SIGN_IN_PATH}/return`

/** Stores the pending sign-in until the browser returns. Lax, because it returns from another site. */
const STATE_COOKIE: Cookie = { name: 'dubplate_elsewhere', path: EXTERNAL_SIGN_IN_PATH, minutes: 10 }
/** Binds the code to the browser that returned: a URL with someone else's code does not sign anyone in. */
const CODE_COOKIE: Cookie = {
  name: 'dubplate_elsewhere_code',
  path: `/api/${membership.signInElsewhere.path}`,
  minutes: 1,
}

/** GET /sign-in/oidc and its return path; not served when no identity provider is configured. */
export async function serveOutsideSignIn(app: FastifyInstance, ctx: AppContext): Promise<void> {
  const { oidc, publicUrl } = ctx.config
  if (!oidc) return
  // Loaded only when needed, because most pools have no identity provider.
  const { makeIdentityProvider } = await import('./identity-provider.ts')
  const provider = makeIdentityProvider(oidc, `${publicUrl}${RETURN_PATH}`)
  const rate = { config: { rateLimit: { max: 30, timeWindow: '1 minute' } } }
  app.get(EXTERNAL_SIGN_IN_PATH, rate, async (_request, reply) =>
    redirectOnError(ctx, reply, async () => {
      const { url, pending } = await provider.start()
      reply.header('set-cookie', serializeCookie(ctx, STATE_COOKIE, encryptState(ctx, pending)))
      return url.href
    }),
  )
  app.get(RETURN_PATH, rate, async (request, reply) =>
    redirectOnError(ctx, reply, async () => {
      reply.header('set-cookie', serializeCookie(ctx, STATE_COOKIE, ''))
      const code = await handleReturn(ctx, provider, request)
      reply.header('set-cookie', serializeCookie(ctx, CODE_COOKIE, codeHash(ctx, code)))
      return `/?dialog=sign-in#elsewhere=${code}`
    }),
  )
}

/** Redirects the browser; after an error, with an error code. */
async function redirectOnError({ log }: AppContext, reply: FastifyReply, getLocation: () => Promise<string>) {
  reply.header('cache-control', 'no-store')
  try {
    return reply.redirect(await getLocation(), 303)
  } catch (error) {
    if (!(error instanceof ExternalSignInError)) throw error
    log.warn({ err: error.cause ?? error, code: error.code }, 'Single sign-on failed')
    return reply.redirect(`/?dialog=sign-in#sign-in-error=${error.code}`, 303)
  }
}

/** Returns a code for the returning user, which the browser exchanges for a session at once. */
async function handleReturn(ctx: AppContext, provider: IdentityProvider, request: FastifyRequest): Promise<string> {
  const pending = decryptState(ctx, readCookie(request.headers, STATE_COOKIE))
  if (!pending) throw new ExternalSignInError('not_finished')
  const identity = await provider.finish(new URL(request.url, ctx.config.publicUrl), pending)
  return ctx.sql.begin(async (sql) => {
    const { customer_id, email } = await findOrAddMember(sql, identity)
    return createMailedLink(sql, { purpose: 'sign_in_elsewhere', customer_id, email, minutes: CODE_COOKIE.minutes })
  })
}

type LinkedMember = { customer_id: number; email: string }

/**
 * Returns the member an identity belongs to: the one it was linked to before, or else the one with its confirmed
 * address, or else a new one who still has to apply. Throws for an identity without a confirmed address, and for one
 * with the address of a member who is linked to another identity of this provider or never confirmed it.
 */
async function findOrAddMember(sql: Sql, identity: Identity): Promise<LinkedMember> {
  const { issuer, subject } = identity
  const findLinkedMember = () => sql<LinkedMember[]>`
    select c.customer_id, c.email from external_identity o join customer c using (customer_id)
    where o.issuer = ${issuer} and o.subject = ${subject} and c.status <> 'deleted'`
  const [known] = await findLinkedMember()
  if (known) return known
  if (identity.email === undefined) throw new ExternalSignInError('email_not_verified')
  const email = identity.email.toLowerCase()
  await sql`insert into customer (email, dj_name, password_hash)
    values (${email}, ${identity.name}, ${UNUSABLE_PASSWORD_HASH}) on conflict do nothing`
  await sql`insert into external_identity (issuer, subject, customer_id)
    select ${issuer}, ${subject}, customer_id from customer where lower(email) = ${email} and email_verified
    on conflict do nothing`
  const [linkedMember] = await findLinkedMember()
  if (!linkedMember) throw new ExternalSignInError('address_in_use')
  return linkedMember
}

/**
 * Returns a session token for the code of a completed sign-in, only in the browser that received it. Throws
 * `link_expired`, and the errors of `openSessionFor`.
 */
export async function signInExternally(
  ctx: Pick<AppContext, 'sql' | 'encryption'>,
  { code, headers }: { code: string; headers: Headers },
  client: ClientInfo,
): Promise<string> {
  const isOwnLink = isEqualConstantTime(readCookie(headers, CODE_COOKIE), codeHash(ctx, code))
  const link = isOwnLink ? await consumeLink(ctx.sql, code, ['sign_in_elsewhere']) : undefined
  if (!link?.customer_id) throw new ApiError('link_expired', 'This sign-in has expired. Sign in again.')
  return openSessionFor(ctx.sql, link.customer_id, client)
}

const codeHash = ({ encryption }: Pick<AppContext, 'encryption'>, code: string): string =>
  encryption.hash('sign-in elsewhere', code).toString('base64url')

function isEqualConstantTime(receivedValue: string | undefined, expectedValue: string): boolean {
  const [one, other] = [Buffer.from(receivedValue ?? ''), Buffer.from(expectedValue)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const encryptState = ({ encryption, now }: AppContext, pending: PendingSignIn): string => {
  const text = JSON.stringify({ ...pending, ends_at: now().getTime() + STATE_COOKIE.minutes * 60_000 })
  return encryption.seal('sign-in elsewhere', STATE_COOKIE.name, Buffer.from(text)).toString('base64url')
}

function decryptState({ encryption, now }: AppContext, encryptedState: string | undefined): PendingSignIn | undefined {
  const text =
    encryptedState && encryption.open('sign-in elsewhere', STATE_COOKIE.name, Buffer.from(encryptedState, 'base64url'))
  if (!text) return undefined
  const { ends_at, ...pending } = JSON.parse(String(text)) as PendingSignIn & { ends_at: number }
  return ends_at > now().getTime() ? pending : undefined
}

type Cookie = { name: string; path: string; minutes: number }
type Headers = FastifyRequest['headers']

/** An empty value deletes the cookie. */
function serializeCookie({ config }: AppContext, { name, path, minutes }: Cookie, value: string): string {
  const seconds = value === '' ? 0 : minutes * 60
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

const readCookie = ({ cookie: cookieHeader }: Headers, { name }: Cookie): string | undefined =>
  cookieHeader
    ?.split('; ')
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)
