import { ApiError } from './api-error.ts'

/** NUL, which PostgreSQL does not store, and unpaired surrogates, which are not valid Unicode (half of an emoji). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for
const UNSTORABLE_CHARACTERS = /\u0000|\p{Surrogate}/u

const UNSTORABLE_MESSAGE = 'This text contains a character that can’t be saved. Delete it and try again.'

/**
 * Throws `invalid_request` if any text of an input, including keys, cannot be stored. Not recursive, because inputs may
 * be nested to any depth.
 */
export function checkStorableText(input: unknown): void {
  const open: { value: unknown; path: string }[] = [{ value: input, path: '' }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next
    if (typeof value === 'string' && UNSTORABLE_CHARACTERS.test(value)) throw unstorableTextError(path)
    if (typeof value !== 'object' || value === null) continue
    for (const [key, child] of Object.entries(value)) {
      if (UNSTORABLE_CHARACTERS.test(key)) throw unstorableTextError(path)
      // Only values that may contain text are visited.
      if (typeof child === 'string' || typeof child === 'object') {
        open.push({ value: child, path: path === '' ? key : `${path}.${key}` })
      }
    }
  }
}

function unstorableTextError(path: string): ApiError {
  return new ApiError('invalid_request', UNSTORABLE_MESSAGE, { fields: { [path || 'body']: UNSTORABLE_MESSAGE } })
}
