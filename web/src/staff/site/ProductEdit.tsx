import type { merchandise } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import { ProductPicture } from '../../site/ProductPicture.tsx'
import { toast } from '../../ui/toast.ts'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { CurrencyField, TextField, Tick } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import { PictureChoice, usePicture } from '../forms/PictureChoice.tsx'
import { useEntry, type Wrong } from '../forms/useEntry.ts'
import css from './ProductEdit.module.css'
import { newProduct, type ProductEntry, productEntryOf, productWish, wrongProduct } from './productEntry.ts'
import { saveProduct, sendPicture } from './products.ts'
import * as texts from './texts.ts'

type Props = {
  /** Undefined for a new one. */
  product?: merchandise.StaffProduct
  /** Default currency of the price. */
  currency: string
  onClose: () => void
}

/** Set once a new product is saved and only its picture is missing, so that it is not created twice. */
type Typed = ProductEntry & { product_id?: number }

/** Edits a product of the pool's own list, with its picture. */
export function ProductEdit({ product, currency, onClose }: Props) {
  const chosen = usePicture()
  const entry = useEntry<Typed, void>({
    draftName: `product.${product?.product_id ?? 'new'}`,
    first: product ? productEntryOf(product) : newProduct(currency),
    wrongOf: wrongProduct,
    namesInForm: { price_minor: 'price' },
    send: async ({ product_id: made, ...typed }, learn) => {
      const { product_id, title } = await saveProduct(productWish(typed, product?.product_id ?? made))
      if (!product) learn({ product_id })
      await chosen.send((picture, onSent) => sendPicture(product_id, picture, onSent))
      void toast({ message: format(texts.titleSaved, { title }) })
    },
    onClose,
  })
  const shown = chosen.address ?? product?.image
  return (
    <EntryForm entry={entry} title={product ? texts.editProduct : texts.newProduct} heading="h3">
      <div className={css.sides}>
        <PictureChoice chosen={chosen} isShown={shown !== undefined} className={css.picture}>
          {shown ? <ProductPicture image={shown} className={css.shown} /> : <i className={css.shown} />}
        </PictureChoice>
        <Fields typed={entry.typed} wrong={entry.wrong} onChange={entry.write} />
      </div>
      <EntryEnd entry={entry} />
    </EntryForm>
  )
}

type FieldsProps = { typed: ProductEntry; wrong: Wrong; onChange: (change: Partial<ProductEntry>) => void }

const Fields = ({ typed, wrong, onChange }: FieldsProps) => (
  <div className={css.fields}>
    <TextField
      label={texts.title}
      path="title"
      wrong={wrong.title}
      maxLength={120}
      value={typed.title}
      onChange={(title) => onChange({ title })}
    />
    <TextField
      label={texts.productLink}
      path="url"
      wrong={wrong.url}
      note={texts.theProductsPageInThe}
      maxLength={2000}
      value={typed.url}
      onChange={(url) => onChange({ url })}
    />
    <div className={css.price}>
      <TextField
        label={texts.price}
        path="price"
        wrong={wrong.price}
        note={texts.leaveEmptyToShowNo}
        inputMode="decimal"
        value={typed.price}
        onChange={(price) => onChange({ price })}
      />
      <CurrencyField wrong={wrong.currency} value={typed.currency} onChange={(currency) => onChange({ currency })} />
    </div>
    <Tick isTicked={typed.is_published} onTick={(is_published) => onChange({ is_published })}>
      {texts.published}
    </Tick>
  </div>
)
