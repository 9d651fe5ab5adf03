import { merchandise } from '@dubplate/contract'
import { IconShoppingBag } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import button from '../../ui/Button.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import css from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { ProductEdit } from './ProductEdit.tsx'
import { OwnProducts } from './ProductRows.tsx'
import { usualCurrency } from './productEntry.ts'
import { isOwn } from './products.ts'
import { StoreProducts } from './StoreProducts.tsx'
import * as texts from './texts.ts'

/** The pool's merchandise: its own list, and the products of its store. */
export const StaffMerchandise = () => (
  <StaffPage title={texts.merchandise}>
    <Merchandise />
  </StaffPage>
)

/** In the URL: a new one is being written; otherwise the id of the one being edited. */
const NEW = 'new'

function Merchandise() {
  const { open } = useSearch({ from: '/staff/merchandise' })
  const navigate = useNavigate({ from: '/staff/merchandise' })
  const { data, error, refetch } = useApiQuery(merchandise.getProducts, {})
  const close = () => void navigate({ search: {}, replace: true })
  if (error && !data)
    return <ErrorState error={error} subject={texts.merchandiseInSentence} retry={() => void refetch()} />
  if (!data) return <ToCome />
  const own = data.products.filter(isOwn)
  return (
    <>
      <section className={css.part}>
        <div className={css.bar}>
          <SectionHead title={texts.yourProducts} />
          {open !== NEW && (
            <Link
              to="/staff/merchandise"
              search={{ open: NEW }}
              className={button.button}
              data-look={own.length === 0 ? 'primary' : undefined}
            >
              {texts.newProduct}
            </Link>
          )}
        </div>
        {open === NEW && <ProductEdit currency={usualCurrency(own)} onClose={close} />}
        {own.length > 0 && <OwnProducts products={own} open={open} onClose={close} />}
        {own.length === 0 && open !== NEW && (
          <EmptyState icon={<IconShoppingBag size={24} />} title={texts.noProductsYet}>
            {texts.addProductsThatLinkTo}
          </EmptyState>
        )}
      </section>
      {data.store ? (
        <StoreProducts store={data.store} products={data.products.filter((it) => !isOwn(it))} />
      ) : (
        <p className={css.note}>{rich(texts.toListProductsFromShopify, { code: (inside) => <code>{inside}</code> })}</p>
      )}
    </>
  )
}

const ROWS = 4

const ToCome = () => (
  <ul className={css.rows} aria-busy aria-label={texts.loadingMerchandise}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.rowBone} aria-hidden />
    ))}
  </ul>
)
