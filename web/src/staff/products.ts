import { type InputOf, merchandise, site } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { queryClient } from '../platform/queries.ts'
import { upload } from '../platform/upload.ts'
import { toast, toastError } from '../ui/toast.ts'
import { inTurn } from './inTurn.ts'
import { productEntryOf, productWish } from './productEntry.ts'
import { shownAnswer } from './shownAnswer.ts'
import * as texts from './texts.ts'

type StaffProduct = merchandise.StaffProduct

const shown = shownAnswer(merchandise.getProducts, {})

export const isOwn = ({ source }: StaffProduct) => source === 'staff'

/** The pool's own list, as it stands on screen. */
export const ownProducts = (): StaffProduct[] => (shown.get()?.products ?? []).filter(isOwn)

/** Here, and where everybody sees it. */
const renew = () =>
  Promise.all(
    [merchandise.getProducts, site.getProducts].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

/** Throws what the server refuses. Answers the product as it is kept, for its picture to be sent. */
export async function saveProduct(wish: InputOf<typeof merchandise.saveProduct>): Promise<StaffProduct> {
  const { product } = await callApi(merchandise.saveProduct, wish)
  await renew()
  return product
}

/** Throws what the server refuses. `onSent` hears the share that has gone out, 0 to 1. */
export async function sendPicture(productId: number, picture: File, onSent: (share: number) => void): Promise<void> {
  const form = new FormData()
  form.append('product_id', String(productId))
  form.append('picture', picture)
  await upload(merchandise.uploadProductPicture, form, onSent)
  await renew()
}

/** Puts a product on sale, or takes it off; says why where that is refused. */
export async function sell(product: StaffProduct, on_sale: boolean): Promise<void> {
  try {
    await callApi(merchandise.saveProduct, productWish({ ...productEntryOf(product), on_sale }, product.product_id))
  } catch (error) {
    void toastError(format(texts.couldntSave, { title: product.title }), error)
  }
  await renew()
}

/** Throws what the server refuses. */
export async function removeProduct({ product_id, title }: StaffProduct): Promise<void> {
  await callApi(merchandise.removeProduct, { product_id })
  void toast({ message: format(texts.titleDeleted, { title }) })
  await renew()
}

/** Shows the own products in another order, those of the store behind them. */
export const showOwn = (own: StaffProduct[]) =>
  shown.change((was) => ({ ...was, products: [...own, ...was.products.filter((one) => !isOwn(one))] }))

const tell = inTurn(renew)

/** Keeps the order that is shown. */
export function keepOrder(): void {
  const product_ids = ownProducts().map(({ product_id }) => product_id)
  void tell(() => callApi(merchandise.orderProducts, { product_ids }), texts.couldntSaveTheOrder)
}

/** Asks the store for its products now. */
export async function fetchStore(): Promise<void> {
  try {
    await callApi(merchandise.refreshStore, {})
    void toast({ message: texts.storeProductsUpdated })
  } catch (error) {
    void toastError(texts.couldntSyncWithTheStore, error)
  }
  // Also what went wrong is written down.
  await renew()
}
