import { timingSafeEqual } from 'node:crypto'
import { membership } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { letIn } from './entry.ts'
import type { Begun, Identity, IdentityProvider } from './identity-provider.ts'
import { makeLink, useLink } from './mailed-links.ts'
import { NO_PASSWORD } from './password.ts'
import type { Visit } from './session.ts'
import { TroubleElsewhere } from './trouble-elsewhere.ts'

/** Where the operator's own sign-in begins, and where it returns to. */
export const OUTSIDE_SIGN_IN = '/sign-in/oidc'
const RETURN = `${OUTSIDE_SIGN_IN}/return`

/** Keeps what has begun until the browser comes back. Lax, because it comes back from another site. */
const BEGUN: Cookie = { name: 'dubplate_elsewhere', path: OUTSIDE_SIGN_IN, minutes: 10 }
/** Binds the code to the browser that came back: an address with somebody else's code in it signs nobody in. */
const RETURNED: Cookie = {
  name: 'dubplate_elsewhere_code',
  path: `/api/${membership.signInElsewhere.path}`,
  minutes: 1,
}

/** GET /sign-in/oidc and where it returns to; nothing where the operator has set no provider. */
export async function serveOutsideSignIn(app: FastifyInstance, world: World): Promise<void> {
  const { oidc, publicUrl } = world.config
  if (!oidc) return
  // Most pools have none: what speaks with it stays out of their memory.
  const { makeIdentityProvider } = await import('./identity-provider.ts')
  const provider = makeIdentityProvider(oidc, `${publicUrl}${RETURN}`)
  const rate = { config: { rateLimit: { max: 30, timeWindow: '1 minute' } } }
  app.get(OUTSIDE_SIGN_IN, rate, async (_request, reply) =>
    orTrouble(world, reply, async () => {
      const { url, begun } = await provider.begin()
      reply.header('set-cookie', cookie(world, BEGUN, seal(world, begun)))
      return url.href
    }),
  )
  app.get(RETURN, rate, async (request, reply) =>
    orTrouble(world, reply, async () => {
      reply.header('set-cookie', cookie(world, BEGUN, ''))
      const code = await comeBack(world, provider, request)
      reply.header('set-cookie', cookie(world, RETURNED, bindingOf(world, code)))
      return `/?dialog=sign-in#elsewhere=${code}`
    }),
  )
}

/** Sends the browser on; with a code for what went wrong, where it did. */
async function orTrouble({ log }: World, reply: FastifyReply, onwards: () => Promise<string>) {
  reply.header('cache-control', 'no-store')
  try {
    return reply.redirect(await onwards(), 303)
  } catch (error) {
    if (!(error instanceof TroubleElsewhere)) throw error
    log.warn({ err: error.cause ?? error, code: error.code }, 'Single sign-on failed')
    return reply.redirect(`/?dialog=sign-in#elsewhere-trouble=${error.code}`, 303)
  }
}

/** A code for whoever came back, which the browser changes into a session at once. */
async function comeBack(world: World, provider: IdentityProvider, request: FastifyRequest): Promise<string> {
  const begun = open(world, cookieOf(request.headers, BEGUN))
  if (!begun) throw new TroubleElsewhere('not_finished')
  const identity = await provider.finish(new URL(request.url, world.config.publicUrl), begun)
  return world.sql.begin(async (sql) => {
    const { customer_id, email } = await findOrAddMember(sql, identity)
    return makeLink(sql, { purpose: 'sign_in_elsewhere', customer_id, email, minutes: RETURNED.minutes })
  })
}

type Found = { customer_id: number; email: string }

/**
 * The member an identity belongs to: the one it was linked to before, else the one with its confirmed address, else a
 * new one who has yet to apply. Refuses an identity without a confirmed address, and one with the address of a member who
 * is somebody else at this provider.
 */
async function findOrAddMember(sql: Sql, identity: Identity): Promise<Found> {
  const { issuer, subject } = identity
  const linked = () => sql<Found[]>`
    select c.customer_id, c.email from outside_identity o join customer c using (customer_id)
    where o.issuer = ${issuer} and o.subject = ${subject} and c.status <> 'deleted'`
  const [known] = await linked()
  if (known) return known
  if (identity.email === undefined) throw new TroubleElsewhere('email_not_verified')
  const email = identity.email.toLowerCase()
  await sql`insert into customer (email, dj_name, password_hash)
    values (${email}, ${identity.name}, ${NO_PASSWORD}) on conflict do nothing`
  await sql`insert into outside_identity (issuer, subject, customer_id)
    select ${issuer}, ${subject}, customer_id from customer where lower(email) = ${email} on conflict do nothing`
  const [found] = await linked()
  if (!found) throw new TroubleElsewhere('address_in_use')
  return found
}

/**
 * A token for the code a sign-in elsewhere came back with, in the browser it came back to. Refuses `link_expired`, and
 * what keeps a member out.
 */
export async function signInElsewhere(
  world: Pick<World, 'sql' | 'sealing'>,
  { code, headers }: { code: string; headers: Headers },
  visit: Visit,
): Promise<string> {
  const isTheirs = isSame(cookieOf(headers, RETURNED), bindingOf(world, code))
  const link = isTheirs ? await useLink(world.sql, code, ['sign_in_elsewhere']) : undefined
  if (!link?.customer_id) throw new Refusal('link_expired', 'This sign-in has expired. Sign in again.')
  return letIn(world.sql, link.customer_id, visit)
}

const bindingOf = ({ sealing }: Pick<World, 'sealing'>, code: string): string =>
  sealing.hash('sign-in elsewhere', code).toString('base64url')

function isSame(given: string | undefined, right: string): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const seal = ({ sealing, now }: World, begun: Begun): string => {
  const text = JSON.stringify({ ...begun, ends_at: now().getTime() + BEGUN.minutes * 60_000 })
  return sealing.seal('sign-in elsewhere', BEGUN.name, Buffer.from(text)).toString('base64url')
}

function open({ sealing, now }: World, sealed: string | undefined): Begun | undefined {
  const text = sealed && sealing.open('sign-in elsewhere', BEGUN.name, Buffer.from(sealed, 'base64url'))
  if (!text) return undefined
  const { ends_at, ...begun } = JSON.parse(String(text)) as Begun & { ends_at: number }
  return ends_at > now().getTime() ? begun : undefined
}

type Cookie = { name: string; path: string; minutes: number }
type Headers = FastifyRequest['headers']

/** An empty one takes away what the browser has. */
function cookie({ config }: World, { name, path, minutes }: Cookie, value: string): string {
  const seconds = value === '' ? 0 : minutes * 60
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

const cookieOf = ({ cookie }: Headers, { name }: Cookie): string | undefined =>
  cookie
    ?.split('; ')
    .find((one) => one.startsWith(`${name}=`))
    ?.slice(name.length + 1)
