import { decimalsOf } from '@dubplate/contract'

/** Amounts have two decimals, which currencies such as yen and dinar do not. */
export const isAccepted = (currency: string): boolean =>
  decimalsOf(currency) === 2 && Intl.supportedValuesOf('currency').includes(currency)
