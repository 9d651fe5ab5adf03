import type { operations } from '@dubplate/contract'

type Changes = operations.Deed['changes']

/** What a deed changed, field by field; what stayed as it was is left out. */
export function changesOf(before: unknown, after: unknown): Changes {
  const [was, is] = [flat(before), flat(after)]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((field) => {
    const change = { field, before: was.get(field) ?? null, after: is.get(field) ?? null }
    return change.before === change.after ? [] : [change]
  })
}

/** Values by their path (`price.amount`), each as text. A list of plain values is one value. */
function flat(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map(path === '' ? [] : [[path, 'none']])
  if (typeof value !== 'object' || isPlainList(value)) return new Map([[path || 'value', inWords(value)]])
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [...flat(inner, path === '' ? name : `${path}.${name}`)]),
  )
}

const isPlainList = (value: object): boolean =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(inWords).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === '' ? 'nothing' : String(value)
}
