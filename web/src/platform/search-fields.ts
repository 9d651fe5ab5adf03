/** Reads one search parameter of a URL; undefined if its value is invalid. */
type Field<T> = (value: unknown) => T | undefined

export type SearchFields = Record<string, Field<unknown>>

export type ParsedFields<F extends SearchFields> = {
  [name in keyof F]?: Exclude<ReturnType<F[name]>, undefined>
}

/** An integer from 1: a page, an id. */
export const positiveInteger: Field<number> = (value) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= 1 ? number : undefined
}

const MAX_TEXT_LENGTH = 200

export const trimmedText: Field<string> = (value) => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text.length > 0 && text.length <= MAX_TEXT_LENGTH ? text : undefined
}

/** True or absent: `?fresh=1`. */
export const booleanFlag: Field<1> = (value) => (String(value) === '1' ? 1 : undefined)

export const oneOf =
  <T extends string>(choices: readonly T[]): Field<T> =>
  (value) =>
    choices.find((choice) => choice === value)

/** The search parameters of a screen's URL. */
export const searchFields =
  <F extends SearchFields>(fields: F) =>
  (search: Record<string, unknown>): ParsedFields<F> => {
    const read: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(fields)) {
      const value = field(search[name])
      if (value !== undefined) read[name] = value
    }
    return read as ParsedFields<F>
  }
