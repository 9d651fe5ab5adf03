import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** The built screens: hashed assets for ever, the page itself for every address that is not something else. */
export async function serveWeb(app: FastifyInstance, built: string): Promise<void> {
  const page = readFileSync(path.join(built, 'index.html'), 'utf8')
  await app.register(fastifyStatic, {
    root: built,
    index: false,
    wildcard: false,
    preCompressed: true,
    setHeaders: (response, file) => {
      const isHashed = file.includes(`${path.sep}assets${path.sep}`)
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const options = { helmet: securityHeaders(page) }
  app.get('/*', { ...options, exposeHeadRoute: true }, async (request, reply) => {
    const address = request.url.split('?')[0] ?? '/'
    if (/^\/(api|files|bundles|previews|peaks|images|assets)\//.test(address)) return reply.callNotFound()
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
}

/** Inline scripts are allowed by their hash alone; Mantine sets inline style attributes. */
function securityHeaders(page: string) {
  const scripts = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)]
  const hashes = scripts.map(
    ([, text]) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`,
  )
  return {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...hashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        // Served over plain HTTP on a machine of one's own; a proxy in front speaks TLS.
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  }
}
