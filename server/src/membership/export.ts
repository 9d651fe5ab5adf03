import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Caller } from './caller.ts'
import { toCsv, toJson } from './export-files.ts'
import type { OwnData } from './own-data.ts'

const LINK_MINUTES = 15

/** Returns the link to a member's data: a signed URL that expires with the session, and after 15 minutes. */
export function exportLink({ signing, now }: Pick<AppContext, 'signing' | 'now'>, member: Caller) {
  const expiresAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  const file = `my-data-${now().toISOString().slice(0, 10)}.zip`
  return { url: `/exports/${signing.sign('export', [member.customer_id, member.session_id], expiresAt)}/${file}`, file }
}

/** GET /exports/…: all data stored about a member, as a zip that is created while it is sent. */
export function serveExports(app: FastifyInstance, ctx: AppContext, ownData: readonly OwnData[]): void {
  const rate = { config: { rateLimit: { max: 6, timeWindow: '1 minute' } } }
  app.get('/exports/:signed/:file', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const member = await openExport(ctx, signed)
    reply.type('application/zip').header('cache-control', 'no-store').header('content-disposition', 'attachment')
    return sendZip(ctx, reply, ownData, member)
  })
}

type Member = { customer_id: number; profile_picture: string | null }

/** Throws `invalid_link` and `link_expired`. */
async function openExport({ sql, signing, now }: AppContext, signed: string): Promise<Member> {
  const [customerId, sessionId] = signing.open('export', signed, now()).map(Number)
  const [member] = await sql<Member[]>`
    select customer_id, profile_picture from session join customer using (customer_id)
    where customer_id = ${customerId ?? 0} and session_id = ${sessionId ?? 0} and expires_at > now()
      and purpose = 'member' and status = 'active'`
  if (!member)
    throw new ApiError('link_expired', 'This link belongs to a session that has ended. Sign in and request a new copy.')
  return member
}

type Content = { name: string; text: AsyncIterable<string> }

async function sendZip(
  { sql, log, storage }: AppContext,
  reply: FastifyReply,
  ownData: readonly OwnData[],
  { customer_id, profile_picture }: Member,
): Promise<FastifyReply> {
  const picture = profile_picture === null ? undefined : await readPicture(storage, profile_picture)
  // Some 20 MB that are rarely needed.
  const { ZipArchive } = await import('archiver')
  const zip = new ZipArchive({ zlib: { level: 6 } })
  zip.on('error', (error) => log.error(error, 'Member data export failed'))
  const contents = ownData.flatMap(({ name, read }): Content[] => [
    { name: `${name}.json`, text: toJson(read(sql, customer_id)) },
    { name: `${name}.csv`, text: toCsv(read(sql, customer_id)) },
  ])
  const sources = contents.map(({ name, text }) => {
    const source = Readable.from(text, { objectMode: false })
    // Needed from the start: an unhandled stream error ends the process.
    source.on('error', (error) => zip.destroy(error))
    zip.append(source, { name })
    return source
  })
  if (picture) zip.append(picture, { name: 'picture.webp' })
  // The streams must be closed when the client disconnects.
  reply.raw.once('close', () => {
    for (const source of sources) source.destroy()
    zip.destroy()
  })
  zip.finalize().catch((error) => zip.destroy(error))
  return reply.send(zip)
}

async function readPicture(storage: AppContext['storage'], sha256: string): Promise<Buffer | undefined> {
  return (await storage.has('images', sha256)) ? storage.readAll('images', sha256) : undefined
}
