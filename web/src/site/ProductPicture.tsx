import { useState } from 'react'
import { imageAt } from '../platform/media.ts'
import noPicture from './no-picture.svg'
import css from './ProductPicture.module.css'

type Props = {
  image: string
  className?: string | undefined
  /** Its width and height in px; the width of its container if missing. */
  size?: number
}

/** The picture of a product; a bag icon replaces one that fails to load. */
export function ProductPicture({ image, className = '', size }: Props) {
  const [broken, setBroken] = useState('')
  return (
    <img
      src={broken === image ? noPicture : imageAt(image, 320)}
      alt=""
      width={320}
      height={320}
      loading="lazy"
      decoding="async"
      style={size ? { width: size, height: size, flexShrink: 0 } : undefined}
      className={`${css.picture} ${className}`}
      onError={() => setBroken(image)}
    />
  )
}
