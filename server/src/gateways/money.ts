import { ApiError } from '../platform/api-error.ts'

/** Amounts are integers in the smallest unit of a currency that has a hundred of them; `1999` is `'19.99'`. */
export const toDecimal = (minor: number): string =>
  `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`

/** Parses `'19.99'`, `'19.9'` and `'19'` into the smallest unit. Throws `invalid_request` for anything else. */
export function toMinor(decimal: string): number {
  const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(decimal)
  if (!match)
    throw new ApiError('invalid_request', `${decimal.slice(0, 20)} isn’t a valid amount. Use a format such as 19.99.`)
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
