import type { MaskitoOptions } from '@maskito/core'

/**
 * What is typed or pasted as an amount, with a point: `12,50` is 12.50 as well, and of `1.234,50` the last sign is the point.
 */
export function pointed(text: string): string {
  const plain = text.replace(/[^\d.,]/g, '').replaceAll(',', '.')
  const last = plain.lastIndexOf('.')
  return last < 0 ? plain : `${plain.slice(0, last).replaceAll('.', '')}${plain.slice(last)}`
}

/** Seven digits and two decimals: text, never a number that is rounded on the way. */
export const amountMask: MaskitoOptions = {
  mask: /^\d{0,7}(\.\d{0,2})?$/,
  preprocessors: [({ elementState, data }) => ({ elementState, data: pointed(data) })],
}

/** `12.5` and `12.` as `12.50` and `12.00`; '' where nothing was typed. */
export function wholeAmount(typed: string): string {
  if (typed === '' || typed === '.') return ''
  const [units = '', cents = ''] = typed.split('.')
  return `${units.replace(/^0+(?=\d)/, '') || '0'}.${cents.padEnd(2, '0')}`
}
