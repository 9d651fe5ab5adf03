import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendShared } from './serve.ts'
import type { Rendered } from './shared-replies.ts'

/** Pages that need third-party content. */
export type ExtraPagePolicy = {
  /** Prefix of their paths and of no others: `/there/`. */
  pathPrefix: string
  /** Origins whose scripts they may run, whose pages they may frame, and which they may send requests to. */
  scriptOrigins: readonly string[]
  frameOrigins: readonly string[]
  connectOrigins: readonly string[]
  /** Origins whose frames may open the browser's payment sheet. */
  paymentOrigins: readonly string[]
  /** Their frames may open pop-ups that communicate with them. */
  allowsPopups: boolean
}

type Web = {
  /**
   * Inserts this pool's values, and what a shared link to `path` shows, into the page; adds no script. Returns bytes if
   * they are cached.
   */
  renderPage: (page: string, path: string, request: FastifyRequest) => string | Promise<string | Rendered>
  extraPolicy?: ExtraPagePolicy | undefined
}

/**
 * Serves the built front end: hashed assets with unlimited caching, the page itself for every other path. Paths with
 * the prefix of `extraPolicy` get the same page with a policy that also allows those origins.
 */
export async function serveWeb(app: FastifyInstance, built: string, { renderPage, extraPolicy }: Web): Promise<void> {
  const page = readFileSync(path.join(built, 'index.html'), 'utf8')
  const files = (cacheControl: string): FastifyStaticOptions => ({
    root: built,
    index: false,
    preCompressed: true,
    // Otherwise its header would be added later and override the one set here.
    cacheControl: false,
    setHeaders: (response) => void response.setHeader('cache-control', cacheControl),
  })
  // The page is only served by the route below, which adds its policy; robots.txt by site/sitemap.ts, which knows who
  // may browse.
  const others = { globIgnore: ['index.html{,.br,.gz}', 'robots.txt{,.br,.gz}', 'assets/**'], wildcard: false }
  await app.register(fastifyStatic, { ...files('no-cache'), ...others })
  // Looked up at each request: a build made while this process runs adds files, and another process may have served its
  // page.
  const hashed = { root: path.join(built, 'assets'), prefix: '/assets/', decorateReply: false }
  await app.register(fastifyStatic, { ...files('public, max-age=31536000, immutable'), ...hashed })
  const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '/'
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const rendered = await renderPage(page, pathOf(request), request)
    reply.type('text/html; charset=utf-8')
    if (typeof rendered !== 'string') return sendShared(request, reply, rendered)
    return reply.header('cache-control', 'no-cache').send(rendered)
  }
  app.get('/*', { helmet: securityHeaders(page), exposeHeadRoute: true }, async (request, reply) => {
    const isFile = /^\/(api|files|bundles|exports|previews|peaks|images|logo|assets)\//.test(pathOf(request))
    return isFile ? reply.callNotFound() : send(request, reply)
  })
  if (!extraPolicy) return
  app.get(
    `${extraPolicy.pathPrefix}*`,
    { helmet: securityHeaders(page, extraPolicy), exposeHeadRoute: true },
    async (request, reply) => {
      const allowed = reply.getHeader('permissions-policy')
      const permissionsPolicy = `payment=(self ${extraPolicy.paymentOrigins.map((origin) => `"${origin}"`).join(' ')})`
      reply.header('permissions-policy', allowed ? `${allowed}, ${permissionsPolicy}` : permissionsPolicy)
      // Otherwise a window opened by a frame of another origin loses its opener.
      if (extraPolicy.allowsPopups) reply.header('cross-origin-opener-policy', 'same-origin-allow-popups')
      return send(request, reply)
    },
  )
}

/** Inline scripts are only allowed by their hash; Mantine sets inline style attributes. */
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
        // Helmet’s default allows fonts of any site.
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...(extraPolicy?.connectOrigins ?? [])],
        ...(extraPolicy ? { frameSrc: [...extraPolicy.frameOrigins] } : {}),
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        // Served over plain HTTP on a local machine; a proxy in front provides TLS.
        upgradeInsecureRequests: null,
      },
    },
    // Set on every reply in app.ts.
    xFrameOptions: false,
    strictTransportSecurity: false,
  }
}
