/** Currencies whose amounts have zero, three or four decimals (ISO 4217, list one); all others have two. */
const ZERO_DECIMAL_CURRENCIES = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMAL_CURRENCIES = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const FOUR_DECIMAL_CURRENCIES = 'CLF UYW'.split(' ')

/** How many decimals the amounts of a currency have: 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  if (ZERO_DECIMAL_CURRENCIES.includes(currency)) return 0
  if (THREE_DECIMAL_CURRENCIES.includes(currency)) return 3
  return FOUR_DECIMAL_CURRENCIES.includes(currency) ? 4 : 2
}

/**
 * Formats an amount in the currency's smallest unit as a decimal: 2400 is `24.00` in EUR, `2400` in JPY, `2.400` in
 * KWD.
 */
export function toDecimalPrice(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return String(minor)
  const digits = String(minor).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The same with its currency: `24.00 EUR`. */
export const formatPrice = (minor: number, currency: string): string => `${toDecimalPrice(minor, currency)} ${currency}`

const MAX_PRICE = 2_147_483_647

/**
 * Parses a decimal such as `24.5` or `1500.0` to the currency's smallest unit, without rounding errors. Returns
 * undefined if it is not a number, has too many decimals or is unreasonably large.
 */
export function parsePrice(decimal: string, currency: string): number | undefined {
  const [, wholePart, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(decimal.trim()) ?? []
  if (wholePart === undefined) return undefined
  const decimals = decimalsOf(currency)
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined
  const minor = Number(wholePart + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return minor <= MAX_PRICE ? minor : undefined
}
