import { decimalsOf, type InputOf, type merchandise, parsePrice, toDecimalPrice } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

type StaffProduct = merchandise.StaffProduct

/** A product in its form; its price is decimal text, '' for none. */
export type ProductValues = {
  /** Missing for a new product until it is saved for the first time. */
  product_id?: number
  title: string
  url: string
  price: string
  currency: string
  is_published: boolean
}

export const newProduct = (currency: string): ProductValues => ({
  title: '',
  url: '',
  price: '',
  currency,
  is_published: true,
})

export const valuesOf = ({
  product_id,
  title,
  url,
  price_minor,
  currency,
  is_published,
}: StaffProduct): ProductValues => ({
  product_id,
  title,
  url,
  price: price_minor === null ? '' : toDecimalPrice(price_minor, currency ?? ''),
  currency: currency ?? '',
  is_published,
})

/** The currency most recently used in the list; euros by default. */
export const usualCurrency = (products: readonly StaffProduct[]): string =>
  products.findLast(({ currency }) => currency !== null)?.currency ?? 'EUR'

const priceOf = ({ price, currency }: ProductValues) => ({
  price: price.trim().replace(',', '.'),
  currency: currency.trim().toUpperCase(),
})

/** An error in the price: it depends on the decimals of its currency, which the contract’s schema does not know. */
export function validatePrice(values: ProductValues): { price?: string } {
  const { price, currency } = priceOf(values)
  if (price === '' || parsePrice(price, currency) !== undefined) return {}
  const decimals = decimalsOf(currency)
  const priceAsDecimal = toDecimalPrice(decimals === 0 ? 2400 : 2450, currency)
  return {
    price:
      decimals === 0
        ? format(texts.enterAWholeNumberIn, { currency, example: priceAsDecimal })
        : format(texts.enterANumberWithUpTo, { decimals, example: priceAsDecimal }),
  }
}

export function inputOf({
  product_id,
  title,
  url,
  is_published,
  ...values
}: ProductValues): InputOf<typeof merchandise.saveProduct> {
  const { price, currency } = priceOf({ ...values, title, url, is_published })
  const hasPrice = price !== ''
  return {
    ...(product_id !== undefined && { product_id }),
    ...{ title, url, is_published },
    price_minor: hasPrice ? (parsePrice(price, currency) ?? null) : null,
    currency: hasPrice ? currency : null,
  }
}
