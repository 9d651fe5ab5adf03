import * as z from 'zod/mini'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** How values are generated; `name` is the property, `turn` counts the values generated before. */
type Style = {
  text: (name: string, index: number) => string
  number: (name: string, index: number) => number
  flag: (name: string) => boolean
  /** The length of a list. */
  length: (name: string) => number
  /** Whether optional and nullable values are present. */
  hasOptional: boolean
}

const EMPTY: Style = { text: () => '', number: () => 0, flag: () => false, length: () => 0, hasOptional: false }

/**
 * The smallest value a schema accepts: empty lists and texts, zero or the lowest number allowed, null where it is
 * allowed.
 */
export const sampleOf = (schema: z.ZodMiniType): unknown => makeValue(schema, EMPTY)

/** A value of a schema in a style; always the same one. */
export function makeValue(schema: z.ZodMiniType, style: Style): unknown {
  const root = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' })
  let index = 0
  return build(root, '')

  function build(schema: JsonSchema, name: string): unknown {
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
    if (options) return buildOption(options, name)
    if (Array.isArray(schema.type))
      return buildOption(
        schema.type.map((type) => ({ ...schema, type })),
        name,
      )
    if (schema.allOf)
      return Object.assign({}, ...(schema.allOf as JsonSchema[]).map((subschema) => build(subschema, name)))
    switch (schema.type) {
      case 'object':
        return buildObject(schema)
      case 'array':
        return buildList(schema, name)
      case 'string':
        return buildText(schema, name)
      case 'number':
      case 'integer':
        return Math.min(Math.max(style.number(name, index++), schema.minimum ?? 0), schema.maximum ?? Infinity)
      case 'boolean':
        return style.flag(name)
      default:
        return null
    }
  }

  function buildOption(options: JsonSchema[], name: string): unknown {
    const present = options.filter(({ type }) => type !== 'null')
    if (present.length < options.length && !style.hasOptional) return null
    return build(present[0]!, name)
  }

  function buildObject({ properties = {}, required = [], propertyNames, additionalProperties }: JsonSchema): object {
    // A record whose keys are an enumeration needs all of them.
    const keys = (propertyNames as JsonSchema | undefined)?.enum as string[] | undefined
    if (keys) return Object.fromEntries(keys.map((key) => [key, build(additionalProperties as JsonSchema, key)]))
    const entries = Object.entries(properties as Record<string, JsonSchema>)
    const present = entries.filter(([name]) => style.hasOptional || required.includes(name))
    return Object.fromEntries(present.map(([name, property]) => [name, build(property, name)]))
  }

  function buildList({ prefixItems, items, minItems = 0, maxItems = Infinity }: JsonSchema, name: string): unknown[] {
    if (prefixItems) return (prefixItems as JsonSchema[]).map((item) => build(item, name))
    const length = Math.min(Math.max(style.length(name), minItems), maxItems)
    const values = (items as JsonSchema).enum
    if (values) return values.slice(0, length)
    return Array.from({ length }, () => build(items as JsonSchema, name))
  }

  function buildText({ format = '', minLength = 0 }: JsonSchema, name: string): string {
    return FORMATS[format] ?? style.text(name, index++).padEnd(minLength, 'x')
  }
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-11-22T12:00:00Z',
  date: '2026-11-22',
  uuid: '00000000-0000-4000-8000-000000000000',
  uri: 'https://pool.test/',
  email: 'dj@pool.test',
}
