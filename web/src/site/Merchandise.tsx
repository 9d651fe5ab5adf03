import { site } from '@dubplate/contract'
import { IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { imageAt } from '../platform/media.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Carousel } from '../ui/Carousel.tsx'
import noPicture from './no-picture.svg'
import css from './SitePages.module.css'
import * as texts from './texts.ts'

const ROW = { display: 'inline-flex', alignItems: 'center', gap: 4 }

/** The products of the pool's store. Every link says that the store is another site; hidden without products. */
export function Merchandise() {
  const { data, error, refetch } = useApiQuery(site.getProducts, {})
  if (error)
    return <InlineError alert error={error} title={texts.couldntLoadMerchandiseInline} retry={() => void refetch()} />
  if (!data?.products.length) return null
  const storeLink = data.store_url && (
    <a href={data.store_url} target="_blank" rel="noopener noreferrer" style={ROW}>
      {texts.visitStore} <LeavingSite />
    </a>
  )
  return (
    <Carousel title={texts.officialMerchandise} action={storeLink}>
      {data.products.map((product) => (
        <li key={product.id}>
          <Product product={product} />
        </li>
      ))}
    </Carousel>
  )
}

/** A bag icon replaces a picture that fails to load. */
function Product({ product: { title, image, url, price } }: { product: site.Product }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={format(texts.viewInTheStore, { title })}
      onErrorCapture={() => setBroken(true)}
    >
      <span className={css.product}>
        <img
          src={isBroken ? noPicture : imageAt(image.src, 96)}
          alt=""
          width={56}
          height={56}
          loading="lazy"
          decoding="async"
        />
        <span>
          <b>{title}</b>
          <small>
            <Price price={price} />
          </small>
        </span>
      </span>
    </a>
  )
}

const LeavingSite = () => (
  <>
    <IconExternalLink size={14} aria-hidden />
    <span className="sr"> {texts.opensInANewTab}</span>
  </>
)

const Price = ({ price }: { price: string }) => (
  <span className="num" style={ROW}>
    {price || texts.viewInStore}
    <LeavingSite />
  </span>
)
