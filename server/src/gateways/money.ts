import { Refusal } from '../platform/refusal.ts'

/** Amounts are integers in the smallest unit of a currency that has a hundred of them; `1999` is `'19.99'`. */
export const asDecimal = (minor: number): string =>
  `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`

/** `'19.99'`, `'19.9'` and `'19'` in the smallest unit. Refuses `invalid_request` for anything else. */
export function asMinor(decimal: string): number {
  const read = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(decimal)
  if (!read)
    throw new Refusal('invalid_request', `${decimal.slice(0, 20)} isn’t a valid amount. Use a format such as 19.99.`)
  return Number(read[1]) * 100 + Number((read[2] ?? '').padEnd(2, '0'))
}
