import type { merchandise, ReplyOf } from '@dubplate/contract'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { ago, useMinute } from '../platform/ago.ts'
import { Button } from '../ui/Button.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import css from './Lists.module.css'
import movable from './MovableRows.module.css'
import { momentInWords } from './moments.ts'
import rows from './ProductRows.module.css'
import { ProductFacts } from './ProductRows.tsx'
import { fetchStore } from './products.ts'

type Store = NonNullable<ReplyOf<typeof merchandise.getProducts>['store']>

/** What the store has: to be read here, and changed there. */
export function StoreProducts({ store, products }: { store: Store; products: merchandise.StaffProduct[] }) {
  const [isBusy, setBusy] = useState(false)
  const fetchNow = async () => {
    setBusy(true)
    await fetchStore()
    setBusy(false)
  }
  return (
    <section className={css.part}>
      <div className={css.bar}>
        <SectionHead title={`Products from ${store.name}`} />
        <Button busy={isBusy} onClick={() => void fetchNow()}>
          {!isBusy && <IconRefresh size={16} aria-hidden />}
          Refresh
        </Button>
      </div>
      <p className={css.note}>
        Edit these products in {store.name}. <LastFetched store={store} />
      </p>
      {store.trouble && (
        <p className={css.trouble} role="alert">
          {store.trouble}
        </p>
      )}
      {products.length > 0 && (
        <ul className={movable.rows} aria-label={`Products from ${store.name}`}>
          {products.map((product) => (
            <li key={product.product_id} className={movable.item}>
              <div className={rows.row}>
                <ProductFacts product={product} />
                {!product.on_sale && <span className={css.note}>Not available</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {products.length === 0 && <p className={css.note}>No products synced yet</p>}
    </section>
  )
}

function LastFetched({ store: { refreshed_at, tried_at } }: { store: Store }) {
  const now = useMinute()
  if (!tried_at) return 'Not synced yet.'
  if (!refreshed_at) return `Sync failed. Last attempt ${ago(tried_at, now)}.`
  return (
    <>
      Last synced{' '}
      <time dateTime={refreshed_at} title={momentInWords(refreshed_at)}>
        {ago(refreshed_at, now)}
      </time>
      {tried_at > refreshed_at && <>, last attempt {ago(tried_at, now)}</>}.
    </>
  )
}
