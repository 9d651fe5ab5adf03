import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'

const BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.25, 1, 5]

/** Returns the group of a route: a label with few values, because each adds a line per histogram bucket. */
export function routeGroup(route: string): string {
  if (route === 'none' || route.endsWith('*')) return 'pages'
  if (route.startsWith('/api/staff/')) return 'staff'
  if (route.startsWith('/api/')) return 'api'
  if (['/healthz', '/readyz', '/metrics'].includes(route)) return 'health'
  return 'files'
}

/**
 * Measures request times. The histogram is kept per group and status class, with only totals per route: a bucket per
 * route would make /metrics several hundred kilobytes.
 */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'dubplate_request_seconds',
    help: 'Response time, by route group and status class.',
    labelNames: ['group', 'status'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const routeRequests = new Counter({
    name: 'dubplate_route_requests_total',
    help: 'Requests, by route.',
    labelNames: ['route'],
    registers,
  })
  const routeSeconds = new Counter({
    name: 'dubplate_route_seconds_total',
    help: 'Total response time, by route.',
    labelNames: ['route'],
    registers,
  })
  const routeErrors = new Counter({
    name: 'dubplate_route_errors_total',
    help: 'Requests that returned a 5xx status, by route.',
    labelNames: ['route'],
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    // An endpoint has an older path without the extension; both are the same route.
    const route = (request.routeOptions.url ?? 'none').replace(/\.json$/, '')
    // Whole microseconds: sums of fractions would be printed with seventeen digits.
    const elapsed = Math.round(reply.elapsedTime * 1000) / 1e6
    seconds.observe({ group: routeGroup(route), status: `${Math.floor(reply.statusCode / 100)}xx` }, elapsed)
    routeRequests.inc({ route })
    routeSeconds.inc({ route }, elapsed)
    if (reply.statusCode >= 500) routeErrors.inc({ route })
    done()
  })
}
