/** Currencies whose amounts have no decimals, or three, or four (ISO 4217, list one); all others have two. */
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const FOUR_DECIMALS = 'CLF UYW'.split(' ')

/** How many decimals the amounts of a currency have: 2 for EUR, 0 for JPY, 3 for KWD. */
export function decimalsOf(currency: string): number {
  if (NO_DECIMALS.includes(currency)) return 0
  if (THREE_DECIMALS.includes(currency)) return 3
  return FOUR_DECIMALS.includes(currency) ? 4 : 2
}

/** An amount in the currency's smallest unit as a decimal: 2400 is `24.00` in EUR, `2400` in JPY, `2.400` in KWD. */
export function priceAsDecimal(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  if (decimals === 0) return String(minor)
  const digits = String(minor).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The same with its currency: `24.00 EUR`. */
export const priceInWords = (minor: number, currency: string): string =>
  `${priceAsDecimal(minor, currency)} ${currency}`

const LARGEST_PRICE = 2_147_483_647

/**
 * A decimal such as `24.5` or `1500.0` in the currency's smallest unit, without a rounding on the way. Undefined for what
 * is none, is finer than the currency, or is more than anything costs.
 */
export function priceOf(decimal: string, currency: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,12}))?$/.exec(decimal.trim()) ?? []
  if (whole === undefined) return undefined
  const decimals = decimalsOf(currency)
  if (/[1-9]/.test(fraction.slice(decimals))) return undefined
  const minor = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return minor <= LARGEST_PRICE ? minor : undefined
}
