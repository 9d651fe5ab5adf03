import { site } from '@dubplate/contract'
import { IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Card } from '../catalogue/Tile.tsx'
import { useAsk } from '../platform/queries.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { Carousel } from '../ui/Carousel.tsx'
import css from './Merchandise.module.css'
import noPicture from './no-picture.svg'

/** What the pool's store sells. The store is another site, which every link here says; without one it is left out. */
export function Merchandise() {
  const { data, error, refetch } = useAsk(site.getProducts, {})
  if (error) return <TroubleLine alert error={error} what="merchandise" retry={() => void refetch()} />
  if (!data?.products.length) return null
  const toStore = data.store_url && (
    <a href={data.store_url} target="_blank" rel="noopener noreferrer" className={css.store}>
      Visit store <Leaving />
    </a>
  )
  return (
    <Carousel title="Official merchandise" show="cards" action={toStore}>
      {data.products.map((product) => (
        <li key={product.id}>
          <Product product={product} />
        </li>
      ))}
    </Carousel>
  )
}

/** Where its picture does not come, a bag stands in its place. */
function Product({ product: { title, image, url, price } }: { product: site.Product }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={`View ${title} in the store`}
      onErrorCapture={() => setBroken(true)}
    >
      <Card image={isBroken ? noPicture : image.src} title={title} note={<Price price={price} />} late />
    </a>
  )
}

const Leaving = () => (
  <>
    <IconExternalLink size={14} aria-hidden />
    <span className="sr"> (opens in a new tab)</span>
  </>
)

const Price = ({ price }: { price: string }) => (
  <span className={`${css.price} num`}>
    {price || 'View in store'}
    <Leaving />
  </span>
)
