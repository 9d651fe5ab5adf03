import type { MaskitoOptions } from '@maskito/core'

/**
 * Normalises a typed or pasted amount to a decimal point: `12,50` is 12.50, and in `1.234,50` the last separator is the
 * decimal point.
 */
export function pointed(text: string): string {
  const plain = text.replace(/[^\d.,]/g, '').replaceAll(',', '.')
  const last = plain.lastIndexOf('.')
  return last < 0 ? plain : `${plain.slice(0, last).replaceAll('.', '')}${plain.slice(last)}`
}

/** Seven digits and two decimals. A string is never rounded, unlike a number. */
export const amountMask: MaskitoOptions = {
  mask: /^\d{0,7}(\.\d{0,2})?$/,
  preprocessors: [({ elementState, data }) => ({ elementState, data: pointed(data) })],
}

/** `12.5` and `12.` become `12.50` and `12.00`; '' stays empty. */
export function wholeAmount(typed: string): string {
  if (typed === '' || typed === '.') return ''
  const [units = '', cents = ''] = typed.split('.')
  return `${units.replace(/^0+(?=\d)/, '') || '0'}.${cents.padEnd(2, '0')}`
}
