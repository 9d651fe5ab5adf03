import { type InputOf, merchandise, site } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { upload } from '../../platform/upload.ts'
import { toast, toastError } from '../../ui/toast.ts'
import { inTurn } from '../inTurn.ts'
import { shownAnswer } from '../support/shownAnswer.ts'
import { productEntryOf, productWish } from './productEntry.ts'
import * as texts from './texts.ts'

type StaffProduct = merchandise.StaffProduct

const shown = shownAnswer(merchandise.getProducts, {})

export const isOwn = ({ source }: StaffProduct) => source === 'staff'

/** The pool's own products, as currently shown. */
export const ownProducts = (): StaffProduct[] => (shown.get()?.products ?? []).filter(isOwn)

/** Reloads the products here and where members see them. */
const renew = () =>
  Promise.all(
    [merchandise.getProducts, site.getProducts].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

/**
 * Returns the stored product, so that its picture can be uploaded. Throws an `ApiError` when the server rejects the
 * change.
 */
export async function saveProduct(wish: InputOf<typeof merchandise.saveProduct>): Promise<StaffProduct> {
  const { product } = await callApi(merchandise.saveProduct, wish)
  await renew()
  return product
}

/** Throws an `ApiError` when the server rejects the change. `onSent` is called with the uploaded share, 0 to 1. */
export async function sendPicture(productId: number, picture: File, onSent: (share: number) => void): Promise<void> {
  const form = new FormData()
  form.append('product_id', String(productId))
  form.append('picture', picture)
  await upload(merchandise.uploadProductPicture, form, onSent)
  await renew()
}

/** Publishes or unpublishes a product; shows the error when that fails. */
export async function sell(product: StaffProduct, is_published: boolean): Promise<void> {
  try {
    await callApi(
      merchandise.saveProduct,
      productWish({ ...productEntryOf(product), is_published }, product.product_id),
    )
  } catch (error) {
    void toastError(format(texts.couldntSave, { title: product.title }), error)
  }
  await renew()
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removeProduct({ product_id, title }: StaffProduct): Promise<void> {
  await callApi(merchandise.removeProduct, { product_id })
  void toast({ message: format(texts.titleDeleted, { title }) })
  await renew()
}

/** Shows the pool's own products in a new order, followed by those of the store. */
export const showOwn = (own: StaffProduct[]) =>
  shown.change((was) => ({ ...was, products: [...own, ...was.products.filter((one) => !isOwn(one))] }))

const tell = inTurn(renew)

/** Saves the order that is shown. */
export function keepOrder(): void {
  const product_ids = ownProducts().map(({ product_id }) => product_id)
  void tell(() => callApi(merchandise.orderProducts, { product_ids }), texts.couldntSaveTheOrder)
}

/** Reloads the products from the store now. */
export async function fetchStore(): Promise<void> {
  try {
    await callApi(merchandise.refreshStore, {})
    void toast({ message: texts.storeProductsUpdated })
  } catch (error) {
    void toastError(texts.couldntSyncWithTheStore, error)
  }
  // A failed sync is recorded too.
  await renew()
}
