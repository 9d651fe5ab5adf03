import type { operations } from '@dubplate/contract'

type Changes = operations.AuditEntry['changes']

/** Returns what an action changed, field by field, without unchanged fields. */
export function diffChanges(before: unknown, after: unknown): Changes {
  const [beforeValues, afterValues] = [flatten(before), flatten(after)]
  return [...new Set([...beforeValues.keys(), ...afterValues.keys()])].flatMap((field) => {
    const change = { field, before: beforeValues.get(field) ?? null, after: afterValues.get(field) ?? null }
    return change.before === change.after ? [] : [change]
  })
}

/** Returns values by their path (`price.amount`), each as text. A list of plain values is one value. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map(path === '' ? [] : [[path, 'none']])
  if (typeof value !== 'object' || isPlainList(value)) return new Map([[path || 'value', formatValue(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [...flatten(inner, path === '' ? name : `${path}.${name}`)]),
  )
}

const isPlainList = (value: object): boolean =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatValue).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === '' ? 'nothing' : String(value)
}
