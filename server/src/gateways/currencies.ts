import { decimalsOf } from '@dubplate/contract'

/** Amounts have two decimals here: yen and dinars have not. */
export const isAccepted = (currency: string): boolean =>
  decimalsOf(currency) === 2 && Intl.supportedValuesOf('currency').includes(currency)
