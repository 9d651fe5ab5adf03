import type { ErrorCode } from '@dubplate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../platform/api-error.ts'
import { setRetryAfter, toApiError } from '../platform/error-replies.ts'
import { escapeHtml } from '../platform/html.ts'

const TITLE_BY_CODE: Partial<Record<ErrorCode, string>> = {
  link_expired: 'This link has expired',
  invalid_link: 'This link isn’t valid',
  link_other_network: 'You’re on another network',
  link_outdated: 'This download has changed',
  link_used_up: 'This link was closed',
  file_unavailable: 'This file isn’t available',
  downloads_not_allowed: 'This account can’t download',
  subscription_required: 'Downloads need a paid plan',
  storage_unavailable: 'Storage is temporarily unavailable',
  service_unavailable: 'This site is temporarily unavailable',
  internal_error: 'Something went wrong',
}

const ADVICE_BY_CODE: Partial<Record<ErrorCode, string>> = {
  link_expired: 'Go back and start the download again. Interrupted downloads aren’t counted twice.',
  invalid_link: 'Go back and start the download again.',
  link_other_network:
    'If you switched networks, for example from Wi-Fi to mobile data, go back to the site and download again. Interrupted downloads aren’t counted twice.',
  link_outdated: 'Go back to the site and download again. It won’t be counted twice.',
  link_used_up: 'Go back to the site and download again to get another copy.',
  file_unavailable: 'Our staff can see that this file is missing. Try again later.',
  downloads_not_allowed: 'Contact support if you think this is a mistake.',
  storage_unavailable: 'Try this link again in a few minutes. The download won’t be counted again.',
  service_unavailable: 'Try this link again in a few minutes. The download won’t be counted again.',
  subscription_required: 'Once your plan is active, start the download again. It won’t be counted twice.',
}

/** Serves signed links of one kind. Errors become an HTML page, because the links are opened in a browser. */
export function serveLinks(
  app: FastifyInstance,
  kind: 'files' | 'bundles',
  send: (signed: string, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  app.get(`/${kind}/:signed/:name`, async (request, reply) => {
    try {
      return await send((request.params as { signed: string }).signed, request, reply)
    } catch (error) {
      return linkPage(reply, toApiError(error, request.log))
    }
  })
}

/**
 * Sends the page for a link that was changed, has expired or leads to nothing. It has no script and links to the site.
 */
function linkPage(reply: FastifyReply, apiError: ApiError) {
  setRetryAfter(apiError, reply)
  const title = TITLE_BY_CODE[apiError.code] ?? 'This link isn’t valid'
  return reply
    .code(apiError.status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>body{margin:0;min-height:100vh;display:grid;place-content:center;background:#0c0d10;color:#eef0f3;font:16px/1.5 system-ui,sans-serif;padding:24px}
main{max-width:34rem}h1{font-size:1.5rem;margin:0 0 .5rem}p{color:#a7aeb9;margin:0 0 1rem}
a{display:inline-block;background:#c8f135;color:#12150a;padding:.6rem 1rem;border-radius:8px;text-decoration:none;font-weight:600}</style>
<main><h1>${title}</h1><p>${escapeHtml(apiError.message)} ${ADVICE_BY_CODE[apiError.code] ?? ''}</p><a href="/">Back to the site</a></main></html>`)
}
