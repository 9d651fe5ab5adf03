import type { Endpoint } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'

const shapeOf = (schema: z.ZodMiniType, io: 'input' | 'output') => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return shape
}

const describe = (endpoint: Endpoint) => ({
  summary: endpoint.summary,
  'x-access': endpoint.access,
  ...(endpoint.access === 'public' || endpoint.access === 'browse' ? {} : { security: [{ token: [] }] }),
  ...(endpoint.method === 'POST'
    ? { requestBody: { content: { 'application/json': { schema: shapeOf(endpoint.input, 'input') } } } }
    : {}),
  responses: {
    200: {
      description: 'Done.',
      content: {
        'application/json': {
          schema: { type: 'object', required: ['data'], properties: { data: shapeOf(endpoint.reply, 'output') } },
        },
      },
    },
    '4XX': { description: `Refused in words. Codes of its own: ${endpoint.refusals.join(', ') || 'none'}.` },
  },
})

/** GET /api/openapi.json: every call, from the contract. */
export function serveOpenApi(app: FastifyInstance, endpoints: Endpoint[]): void {
  let document: string | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify({
      openapi: '3.1.0',
      info: {
        title: 'Dubplate',
        version: '1',
        description: 'POST with a JSON body unless marked GET; store_id and lang_code in the query.',
      },
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
      paths: Object.fromEntries(
        endpoints.map((one) => [`/api/${one.path}`, { [one.method.toLowerCase()]: describe(one) }]),
      ),
    })
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
