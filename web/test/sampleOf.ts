import * as z from 'zod/mini'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The smallest value a schema accepts: empty lists and texts, zero or the lowest number allowed, null where that is allowed. */
export function sampleOf(schema: z.ZodMiniType): unknown {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' })
  return build(root)
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-11-22T12:00:00Z',
  date: '2026-11-22',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://pool.test/',
  email: 'dj@pool.test',
}

function build(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (options) return options.some(({ type }) => type === 'null') ? null : build(options[0]!)
  if (schema.allOf) return Object.assign({}, ...(schema.allOf as JsonSchema[]).map(build))
  switch (schema.type) {
    case 'object':
      return buildObject(schema)
    case 'array':
      return buildList(schema)
    case 'string':
      return FORMATS[schema.format ?? ''] ?? 'x'.repeat(schema.minLength ?? 0)
    case 'number':
    case 'integer':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return null
  }
}

function buildObject({ properties = {}, required = [], propertyNames, additionalProperties }: JsonSchema): object {
  // A record whose keys are an enumeration needs every one of them.
  const keys = (propertyNames as JsonSchema | undefined)?.enum as string[] | undefined
  if (keys) return Object.fromEntries(keys.map((key) => [key, build(additionalProperties as JsonSchema)]))
  const entries = Object.entries(properties as Record<string, JsonSchema>)
  return Object.fromEntries(
    entries.filter(([name]) => required.includes(name)).map(([name, property]) => [name, build(property)]),
  )
}

function buildList({ prefixItems, items, minItems = 0 }: JsonSchema): unknown[] {
  if (prefixItems) return (prefixItems as JsonSchema[]).map(build)
  return Array.from({ length: minItems }, () => build(items as JsonSchema))
}
