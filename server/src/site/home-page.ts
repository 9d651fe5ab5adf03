import { setTimeout as pause } from 'node:timers/promises'
import { catalogue, type Endpoint, site, spotlights } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import { toApiError } from '../platform/error-replies.ts'
import type { ReadShared } from '../platform/serve.ts'
import { dataBlock } from './branding.ts'

/** The calls of the home page, with the input of web/src/catalogue/Home.tsx. */
const CALLS: readonly [Endpoint, object][] = [
  [catalogue.homePageGenres, {}],
  [spotlights.getSpotlights, {}],
  [catalogue.getNewRelease, { pageName: 'mp3_home' }],
  [site.getProducts, {}],
]

/** How long the page waits for its replies. The browser requests those that are missing. */
export const HOME_PAGE_WAIT_MS = 300

const LATE = Symbol('late')

/**
 * Adds the replies that the home page needs to the page, as `{ time, replies: [[path, input], reply][] }`, so that the
 * browser does not request them. `time` is the server's, in ms since 1970. Replies that visitors may not read, that fail
 * or that take too long are left out.
 */
export async function addHomeReplies(
  page: string,
  { readShared, request, wait_ms }: { readShared: ReadShared; request: FastifyRequest; wait_ms: number },
): Promise<string> {
  const time = Date.now()
  const timeout = pause(wait_ms, LATE, { ref: false })
  const results = await Promise.all(
    CALLS.map(([endpoint, input]) => Promise.race([readReply(endpoint, input, readShared, request), timeout])),
  )
  if (results.includes(LATE)) request.log.warn(`Replies for the home page took more than ${wait_ms} ms.`)
  const replies = results.filter((reply) => typeof reply === 'string')
  if (replies.length === 0) return page
  const block = dataBlock('replies', `{"time":${time},"replies":[${replies.join()}]}`)
  // Below everything that the browser can show before it has the whole page.
  return page.replace('</body>', () => `  ${block}\n  </body>`)
}

async function readReply(endpoint: Endpoint, input: object, readShared: ReadShared, request: FastifyRequest) {
  try {
    const { bytes } = await readShared(endpoint, input, request)
    return `[${JSON.stringify([endpoint.path, input])},${bytes}]`
  } catch (error) {
    // Logs it, unless it is that visitors may not read this.
    toApiError(error, request.log)
    return undefined
  }
}
