import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Throws `cross_origin_request` for every request that changes something and that, according to the browser, comes from
 * another site, by Sec-Fetch-Site (W3C Fetch Metadata) or by Origin. Programs that are not browsers send neither and
 * pass.
 */
export function rejectOtherOrigins(app: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  const publicHost = new URL(publicUrl).host
  app.addHook('onRequest', async (request) => {
    if (SAFE_METHODS.has(request.method) || isReplicaFailure(request, publicHost)) return
    throw new ApiError('cross_origin_request', 'Cross-origin requests aren’t allowed.')
  })
}

function isReplicaFailure({ headers, host }: FastifyRequest, publicHost: string): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return false
  // A page with a no-referrer policy may send `Origin: null` to its own server.
  if (site === 'same-origin') return true
  if (headers.origin === undefined) return true
  const from = URL.canParse(headers.origin) ? new URL(headers.origin).host : ''
  return from !== '' && (from === host || from === publicHost)
}
