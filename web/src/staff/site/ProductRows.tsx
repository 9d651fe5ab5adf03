import { formatPrice, type merchandise } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { format } from '../../platform/message.ts'
import { ProductPicture } from '../../site/ProductPicture.tsx'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import rows from '../MovableRows.module.css'
import { QuickTick } from '../QuickTick.tsx'
import { moveAmong, useRowOrder } from '../useRowOrder.ts'
import { ProductEdit } from './ProductEdit.tsx'
import css from './ProductRows.module.css'
import { keepOrder, ownProducts, removeProduct, sell, showOwn } from './products.ts'
import * as texts from './texts.ts'

type StaffProduct = merchandise.StaffProduct
type Props = { products: StaffProduct[]; open: string | undefined; onClose: () => void }

/** The pool's own products in their order: moved by drag handles, edited in place. */
export function OwnProducts({ products, open, onClose }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { handlers, said } = useRowOrder(list, {
    rows: ownProducts,
    move: (from, to) => moveAmong(ownProducts(), from, to, showOwn),
    nameOf: ({ title }) => title,
    keep: keepOrder,
  })
  return (
    <>
      <ul ref={list} className={rows.rows} aria-label={texts.yourProducts} {...handlers}>
        {products.map((product) => (
          <li key={product.product_id} className={rows.item} data-row>
            {open === String(product.product_id) ? (
              <ProductEdit product={product} currency={product.currency ?? 'EUR'} onClose={onClose} />
            ) : (
              <OwnRow product={product} />
            )}
          </li>
        ))}
      </ul>
      <p className="sr" aria-live="assertive">
        {said}
      </p>
    </>
  )
}

function OwnRow({ product }: { product: StaffProduct }) {
  const { product_id, title } = product
  const [isAsking, setAsking] = useState(false)
  return (
    <div className={css.row}>
      <IconButton
        className={css.handle}
        label={format(texts.moveTitleLabel, { title })}
        shortcut={texts.altAltOrSpaceThen}
        draggable={false}
        data-handle
      >
        <IconGripVertical size={16} />
      </IconButton>
      <ProductFacts product={product} />
      <div className={css.does}>
        <QuickTick
          name={format(texts.publishedLabel, { title })}
          label={texts.published}
          isTicked={product.is_published}
          onTick={(isOnSale) => sell(product, isOnSale)}
          isQuiet
          className={css.sale}
        />
        <Link
          to="/staff/merchandise"
          search={{ open: String(product_id) }}
          className={button.button}
          aria-label={format(texts.editTitleLabel, { title })}
        >
          {texts.edit}
        </Link>
        <Button aria-label={format(texts.deleteTitleLabel, { title })} onClick={() => setAsking(true)}>
          {texts.deleteButton}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.deleteProduct}
          what={format(texts.andItsPictureWillBe, { title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => removeProduct(product)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

/** A product's picture, title, price and link. */
export function ProductFacts({ product: { title, image, url, price_minor, currency } }: { product: StaffProduct }) {
  const price = price_minor === null || !currency ? texts.noPrice : formatPrice(price_minor, currency)
  return (
    <div className={css.facts}>
      <ProductPicture image={image} className={css.picture} />
      <div className={css.words}>
        <b title={title}>{title}</b>
        <p>
          <span className="num">{price}</span> ·{' '}
          <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
            {whereOf(url)}
            <span className="sr"> {texts.opensInANewTab}</span>
          </a>
        </p>
      </div>
    </div>
  )
}

/** The host of a product's link; a path of this site stays as it is. */
const whereOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
