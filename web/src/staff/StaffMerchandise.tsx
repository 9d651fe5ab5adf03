import { merchandise } from '@dubplate/contract'
import { IconShoppingBag } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Trouble } from '../platform/errors.tsx'
import { useAsk } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import css from './Lists.module.css'
import { ProductEdit } from './ProductEdit.tsx'
import { OwnProducts } from './ProductRows.tsx'
import { usualCurrency } from './productEntry.ts'
import { isOwn } from './products.ts'
import { StaffPage } from './StaffPage.tsx'
import { StoreProducts } from './StoreProducts.tsx'

/** What the pool sells: its own list, and what its store has. */
export const StaffMerchandise = () => (
  <StaffPage title="Merchandise" forRole="curator">
    <Merchandise />
  </StaffPage>
)

/** In the address: a new one is being written; otherwise the id of the one that is. */
const NEW = 'new'

function Merchandise() {
  const { open } = useSearch({ from: '/staff/merchandise' })
  const navigate = useNavigate({ from: '/staff/merchandise' })
  const { data, error, refetch } = useAsk(merchandise.getProducts, {})
  const close = () => void navigate({ search: {}, replace: true })
  if (error && !data) return <Trouble error={error} what="merchandise" retry={() => void refetch()} />
  if (!data) return <ToCome />
  const own = data.products.filter(isOwn)
  return (
    <>
      <section className={css.part}>
        <div className={css.bar}>
          <SectionHead title="Your products" />
          {open !== NEW && (
            <Link
              to="/staff/merchandise"
              search={{ open: NEW }}
              className={button.button}
              data-look={own.length === 0 ? 'primary' : undefined}
            >
              New product
            </Link>
          )}
        </div>
        {open === NEW && <ProductEdit currency={usualCurrency(own)} onClose={close} />}
        {own.length > 0 && <OwnProducts products={own} open={open} onClose={close} />}
        {own.length === 0 && open !== NEW && (
          <EmptyState icon={<IconShoppingBag size={24} />} title="No products yet">
            Add products that link to your store. They’re listed before products from a connected store.
          </EmptyState>
        )}
      </section>
      {data.store ? (
        <StoreProducts store={data.store} products={data.products.filter((it) => !isOwn(it))} />
      ) : (
        <p className={css.note}>
          To list products from Shopify, set <code>SHOPIFY_STORE</code> and restart.
        </p>
      )}
    </>
  )
}

const ROWS = 4

const ToCome = () => (
  <ul className={css.rows} aria-busy aria-label="Loading merchandise…">
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <li key={i} className={css.rowBone} aria-hidden />
    ))}
  </ul>
)
