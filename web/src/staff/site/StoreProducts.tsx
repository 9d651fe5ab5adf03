import type { merchandise, ReplyOf } from '@dubplate/contract'
import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { format, rich } from '../../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import css from '../Lists.module.css'
import movable from '../MovableRows.module.css'
import { momentInWords } from '../moments.ts'
import rows from './ProductRows.module.css'
import { ProductFacts } from './ProductRows.tsx'
import { fetchStore } from './products.ts'
import * as texts from './texts.ts'

type Store = NonNullable<ReplyOf<typeof merchandise.getProducts>['store']>

/** Products of the store, read-only: they are changed in the store. */
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
        <SectionHead title={format(texts.productsFrom, { name: store.name })} />
        <Button busy={isBusy} onClick={() => void fetchNow()}>
          {!isBusy && <IconRefresh size={16} aria-hidden />}
          {texts.refresh}
        </Button>
      </div>
      <p className={css.note}>
        {format(texts.editTheseProductsIn, { name: store.name })} <LastFetched store={store} />
      </p>
      {store.last_error && (
        <p className={css.trouble} role="alert">
          {store.last_error}
        </p>
      )}
      {products.length > 0 && (
        <ul className={movable.rows} aria-label={format(texts.productsFrom, { name: store.name })}>
          {products.map((product) => (
            <li key={product.product_id} className={movable.item}>
              <div className={rows.row}>
                <ProductFacts product={product} />
                {!product.is_published && <span className={css.note}>{texts.notAvailable}</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {products.length === 0 && <p className={css.note}>{texts.noProductsSyncedYet}</p>}
    </section>
  )
}

function LastFetched({ store: { refreshed_at, attempted_at } }: { store: Store }) {
  const now = useCurrentMinute()
  if (!attempted_at) return texts.notSyncedYet
  if (!refreshed_at) return format(texts.syncFailedLastAttempt, { attempted_at: formatTimeAgo(attempted_at, now) })
  const synced = {
    refreshed_at: formatTimeAgo(refreshed_at, now),
    time: (inside: ReactNode) => (
      <time dateTime={refreshed_at} title={momentInWords(refreshed_at)}>
        {inside}
      </time>
    ),
  }
  return attempted_at > refreshed_at
    ? rich(texts.lastSyncedAndAttempted, { ...synced, attempted_at: formatTimeAgo(attempted_at, now) })
    : rich(texts.lastSynced, synced)
}
