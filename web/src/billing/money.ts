import { format } from '../format/message.ts'
import * as texts from './texts.ts'

/**
 * Amounts are decimal text with two places ('19.99'). They are added as whole numbers of the smallest unit: sums of
 * floating-point numbers such as 0.1 + 0.2 are not exact.
 */

/** Formatted by the browser for the reader's locale: '$19.99'. */
export const money = (amount: string, currency: string, locale?: string): string =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(amount as Intl.StringNumericLiteral)

/** '19.99' becomes 1999. Throws if the text is not an amount. */
export function toMinorUnits(amount: string): number {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount)
  if (!match) throw new Error(format(texts.invalidAmount, { amount }))
  const minor = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] && minor ? -minor : minor
}

/** 1999 becomes '19.99'. */
export function toDecimalString(minor: number): string {
  const cents = String(Math.abs(minor) % 100).padStart(2, '0')
  return `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${cents}`
}

export const plus = (a: string, b: string): string => toDecimalString(toMinorUnits(a) + toMinorUnits(b))
export const minus = (a: string, b: string): string => toDecimalString(toMinorUnits(a) - toMinorUnits(b))
export const isAboveZero = (amount: string): boolean => toMinorUnits(amount) > 0
