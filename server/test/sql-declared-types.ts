import type { TypeNode } from 'typescript/unstable/ast'
import { type Checker, type Type, TypeFlags, type UnionType } from 'typescript/unstable/sync'

/** A parameter as postgres.js announces it to PostgreSQL: by its type if that follows from the value alone. */
export type Parameter = 'boolean' | 'date' | 'bytes' | 'json' | 'unknown'

/** The JavaScript type of a column's values. */
export type Family = 'string' | 'number' | 'boolean' | 'date' | 'bytes' | 'array' | 'object' | 'any'

export type DeclaredType = { family: Family; isNullable: boolean; isOptional: boolean; text: string }

export function parameterOf(type: string): Parameter {
  const bare = type.replace(/ \| (null|undefined)\b/g, '')
  if (/^(boolean|true|false)$/.test(bare)) return 'boolean'
  if (bare === 'Date') return 'date'
  if (bare.startsWith('Parameter<')) return 'json'
  return /^(Buffer|Uint8Array)\b/.test(bare) ? 'bytes' : 'unknown'
}

/** The properties of the rows that `sql<Row[]>` declares; undefined for rows of which no property is named. */
export function readRowType(checker: Checker, rows: TypeNode): Map<string, DeclaredType> | undefined {
  const type = checker.getTypeFromTypeNode(rows)
  const row = type && checker.getIndexInfosOfType(type)[0]?.valueType
  if (!row) return undefined
  const properties = checker.getPropertiesOfType(row)
  if (properties.length === 0) return undefined
  return new Map(
    properties.map((property) => [property.name, declaredTypeOf(checker, checker.getTypeOfSymbol(property))]),
  )
}

export function declaredTypeOf(checker: Checker, type: Type | undefined): DeclaredType {
  if (!type) return { family: 'any', isNullable: true, isOptional: true, text: 'unknown' }
  const members = type.flags & TypeFlags.Union ? (type as UnionType).getTypes() : [type]
  const has = (flag: TypeFlags) => members.some(({ flags }) => (flags & flag) !== 0)
  const families = new Set(
    members
      .filter(({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) === 0)
      .map((member) => typeFamily(checker, member)),
  )
  const [family = 'any'] = families
  return {
    family: families.size > 1 ? 'any' : family,
    isNullable: has(TypeFlags.Null | TypeFlags.Any | TypeFlags.Unknown),
    isOptional: has(TypeFlags.Undefined),
    text: checker.typeToString(type),
  }
}

function typeFamily(checker: Checker, type: Type): Family {
  if (type.flags & TypeFlags.StringLike) return 'string'
  if (type.flags & TypeFlags.NumberLike) return 'number'
  if (type.flags & TypeFlags.BooleanLike) return 'boolean'
  if (!(type.flags & TypeFlags.Object)) return 'any'
  const name = checker.typeToString(type)
  if (name === 'Date') return 'date'
  if (/^(Buffer|Uint8Array)\b/.test(name)) return 'bytes'
  return checker.isArrayLikeType(type) ? 'array' : 'object'
}
