import { type Endpoint, type ErrorCode, errorReply } from '@dubplate/contract'
import { ERRORS, errorCodesOf } from '@dubplate/contract/schemas/errors'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { escapeHtml } from './html.ts'
import { formatVersion } from './version.ts'

const toJsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return shape
}

/** Files are sent as a form, whose fields the summary describes; everything else is JSON. */
const bodyOf = (endpoint: Endpoint) =>
  endpoint.body === 'multipart'
    ? { 'multipart/form-data': { schema: { type: 'object' } } }
    : { 'application/json': { schema: toJsonSchema(endpoint.input, 'input') } }

/** A reply for each status an endpoint may fail with; all have the same format and differ in their codes. */
function errorReplies(endpoint: Endpoint) {
  const codesByStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodesOf(endpoint)) {
    const { status } = ERRORS[code]
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    Array.from(codesByStatus, ([status, codes]) => [
      status,
      {
        description: codes.join(', '),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error', properties: { code: { enum: codes } } },
          },
        },
      },
    ]),
  )
}

const describe = (endpoint: Endpoint) => ({
  summary: endpoint.summary,
  'x-access': endpoint.access,
  ...(endpoint.roles ? { 'x-roles': ['admin', ...endpoint.roles] } : {}),
  ...(endpoint.access === 'public' || endpoint.access === 'browse' ? {} : { security: [{ token: [] }] }),
  ...(endpoint.method === 'POST' ? { requestBody: { content: bodyOf(endpoint) } } : {}),
  responses: {
    200: {
      description: 'Success.',
      content: {
        'application/json': {
          schema: { type: 'object', required: ['data'], properties: { data: toJsonSchema(endpoint.reply, 'output') } },
        },
      },
    },
    ...errorReplies(endpoint),
  },
})

/** GET /api/openapi.json: every endpoint of the contract. GET /api/docs: the same as a page. */
export function serveOpenApi(app: FastifyInstance, endpoints: Endpoint[]): void {
  let document: string | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify({
      openapi: '3.1.0',
      info: {
        title: 'Dubplate',
        version: formatVersion(),
        description:
          'All calls are POST with a JSON body unless marked GET. store_id and lang_code go in the query string.',
      },
      components: {
        securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
        schemas: { Error: toJsonSchema(errorReply, 'output') },
      },
      paths: Object.fromEntries(
        endpoints.map((one) => [`/api/${one.path}`, { [one.method.toLowerCase()]: describe(one) }]),
      ),
    })
    return reply.type('application/json; charset=utf-8').send(document)
  })
  let page: string | undefined
  app.get('/api/docs', async (_request, reply) => {
    page ??= docsPage(endpoints)
    return reply.type('text/html; charset=utf-8').send(page)
  })
}

function docsPage(endpoints: Endpoint[]): string {
  const rows = endpoints.map((one) => {
    const fields = Object.keys(toJsonSchema(one.input, 'input').properties ?? {}).join(', ')
    const data = Object.keys(toJsonSchema(one.reply, 'output').properties ?? {}).join(', ')
    const cells = [`${one.method} ${one.path}`, one.access, one.summary, fields, data, one.errors.join(', ')]
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`
  })
  const heads = ['Endpoint', 'Access', 'Summary', 'Input', 'Output', 'Errors']
    .map((head) => `<th scope="col">${head}</th>`)
    .join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>API reference</title>
<style>body{font:14px/1.5 system-ui,sans-serif;margin:24px;color:#14171c}table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:6px 12px;border-bottom:1px solid #e1e4e8}td:first-child{font-family:ui-monospace,monospace}</style>
<h1>API reference</h1><p>Base path: /api/ · <a href="/api/openapi.json">OpenAPI document</a></p><table><thead><tr>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></html>`
}
