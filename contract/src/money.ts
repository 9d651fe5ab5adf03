import * as z from 'zod/mini'
import { day } from './endpoint.ts'

/** Money as staff enter and read it. Amounts are decimal strings with two places. */

/** An amount as it is typed: `12.50`, `12.5` or `12`. */
const AMOUNT = /^\d{1,7}(\.\d{1,2})?$/
export const amount = (message = 'Enter an amount with up to two decimals, such as 12.50.') =>
  z.string(message).check(z.trim(), z.regex(AMOUNT, message))

/** ISO 4217; the caller checks that its amounts have two decimals. */
export const currency = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{3}$/, 'Enter a three-letter currency code, such as EUR.'))

export const sum = z.object({ currency: z.string(), amount: z.string() })
export type Sum = z.output<typeof sum>

/** A range of days; a missing day leaves that end open. */
export const range = { from: z.optional(z.nullable(day)), to: z.optional(z.nullable(day)) }
