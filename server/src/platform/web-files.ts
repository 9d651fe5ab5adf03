import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Pages that need something of others beside what is the pool's own. */
export type ExtraPagePolicy = {
  /** How their addresses begin and those of no other page do: `/there/`. */
  pathPrefix: string
  /** Origins whose scripts may run in them, whose pages they may frame, and where they may send something. */
  scriptOrigins: readonly string[]
  frameOrigins: readonly string[]
  connectOrigins: readonly string[]
  /** Origins whose frames may open the browser's own payment sheet. */
  paymentOrigins: readonly string[]
  /** Windows that their frames open may answer. */
  allowsPopups: boolean
}

type Web = {
  /** Puts what this pool has of its own into the page; it adds no script. */
  renderPage: (page: string) => string
  extraPolicy?: ExtraPagePolicy | undefined
}

/**
 * The built screens: hashed assets for ever, the page itself for every address that is not something else. It is the same
 * page under `wider`, with a policy that lets in what is named there as well.
 */
export async function serveWeb(app: FastifyInstance, built: string, { renderPage, extraPolicy }: Web): Promise<void> {
  const page = readFileSync(path.join(built, 'index.html'), 'utf8')
  const files = (cacheControl: string): FastifyStaticOptions => ({
    root: built,
    index: false,
    preCompressed: true,
    // Its own header would come after the one set here, and win.
    cacheControl: false,
    setHeaders: (response) => void response.setHeader('cache-control', cacheControl),
  })
  // The page goes out by the route below alone, which has its policy; robots.txt by site/sitemap.ts, which knows who may browse.
  const others = { globIgnore: ['index.html{,.br,.gz}', 'robots.txt{,.br,.gz}', 'assets/**'], wildcard: false }
  await app.register(fastifyStatic, { ...files('no-cache'), ...others })
  // Looked up at each request: a build that is made while this process runs adds files, and another process may have sent its page.
  const hashed = { root: path.join(built, 'assets'), prefix: '/assets/', decorateReply: false }
  await app.register(fastifyStatic, { ...files('public, max-age=31536000, immutable'), ...hashed })
  const send = (reply: FastifyReply) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(renderPage(page))
  app.get('/*', { helmet: securityHeaders(page), exposeHeadRoute: true }, async (request, reply) => {
    const address = request.url.split('?')[0] ?? '/'
    if (/^\/(api|files|bundles|exports|previews|peaks|images|logo|assets)\//.test(address)) return reply.callNotFound()
    return send(reply)
  })
  if (!extraPolicy) return
  app.get(
    `${extraPolicy.pathPrefix}*`,
    { helmet: securityHeaders(page, extraPolicy), exposeHeadRoute: true },
    async (_, reply) => {
      const allowed = reply.getHeader('permissions-policy')
      const permissionsPolicy = `payment=(self ${extraPolicy.paymentOrigins.map((origin) => `"${origin}"`).join(' ')})`
      reply.header('permissions-policy', allowed ? `${allowed}, ${permissionsPolicy}` : permissionsPolicy)
      // A window that a frame of another origin opens is cut off from it otherwise.
      if (extraPolicy.allowsPopups) reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
      return send(reply)
    },
  )
}

/** Inline scripts are allowed by their hash alone; Mantine sets inline style attributes. */
function securityHeaders(page: string, extraPolicy?: ExtraPagePolicy) {
  const scriptOrigins = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)]
  const hashes = scriptOrigins.map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`,
  )
  return {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...hashes, ...(extraPolicy?.scriptOrigins ?? [])],
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Helmet’s default lets in fonts of any site.
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...(extraPolicy?.connectOrigins ?? [])],
        ...(extraPolicy ? { frameSrc: [...extraPolicy.frameOrigins] } : {}),
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        // Served over plain HTTP on a machine of one's own; a proxy in front speaks TLS.
        upgradeInsecureRequests: null,
      },
    },
    // On every reply, in app.ts.
    xFrameOptions: false,
    strictTransportSecurity: false,
  }
}
