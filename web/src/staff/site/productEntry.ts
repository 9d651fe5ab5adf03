import { decimalsOf, type InputOf, type merchandise, parsePrice, toDecimalPrice } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

type StaffProduct = merchandise.StaffProduct
type Wish = InputOf<typeof merchandise.saveProduct>

/** A product being edited; its price is decimal text, '' for none. */
export type ProductEntry = { title: string; url: string; price: string; currency: string; is_published: boolean }

export type WrongProduct = Partial<Record<keyof ProductEntry, string>>

export const newProduct = (currency: string): ProductEntry => ({
  title: '',
  url: '',
  price: '',
  currency,
  is_published: true,
})

export const productEntryOf = (it: StaffProduct): ProductEntry => ({
  title: it.title,
  url: it.url,
  price: it.price_minor === null ? '' : toDecimalPrice(it.price_minor, it.currency ?? ''),
  currency: it.currency ?? '',
  is_published: it.is_published,
})

/** The currency most recently used in the list; euros by default. */
export const usualCurrency = (products: readonly StaffProduct[]): string =>
  products.findLast(({ currency }) => currency !== null)?.currency ?? 'EUR'

const URL_OF_STORE = /^(https?:\/\/[a-z0-9[\]]|\/(?![/\\]))\S*$/i

const typedPrice = ({ price }: ProductEntry): string => price.trim().replace(',', '.')
const typedCurrency = ({ currency }: ProductEntry): string => currency.trim().toUpperCase()

/** An example in the error message: `24.50` in EUR, `2400` in JPY. */
function priceComplaint(currency: string): string {
  const decimals = decimalsOf(currency)
  if (decimals === 0)
    return format(texts.enterAWholeNumberIn, { currency, priceAsDecimal: toDecimalPrice(2400, currency) })
  return format(texts.enterANumberWithUpTo, { decimals, example: toDecimalPrice(2450, currency) })
}

/** Errors by field, under the field names of the API. */
export function wrongProduct(entry: ProductEntry): WrongProduct {
  const price = typedPrice(entry)
  const currency = typedCurrency(entry)
  const isWithoutCurrency = price !== '' && !/^[A-Z]{3}$/.test(currency)
  const isWrong = price !== '' && parsePrice(price, currency) === undefined
  return {
    ...(entry.title.trim() ? {} : { title: texts.enterATitle }),
    ...(URL_OF_STORE.test(entry.url.trim()) ? {} : { url: texts.enterAFullLinkSuch }),
    ...(isWrong ? { price: priceComplaint(currency) } : {}),
    ...(isWithoutCurrency ? { currency: texts.enterAThreeLetterCurrency } : {}),
  }
}

/** The input of the API call. */
export function productWish(entry: ProductEntry, productId: number | undefined): Wish {
  const price = typedPrice(entry)
  const currency = typedCurrency(entry)
  return {
    ...(productId === undefined ? {} : { product_id: productId }),
    title: entry.title,
    url: entry.url,
    price_minor: price === '' ? null : (parsePrice(price, currency) ?? null),
    currency: price === '' ? null : currency,
    is_published: entry.is_published,
  }
}
