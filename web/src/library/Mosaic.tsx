import { IconPlaylist } from '@tabler/icons-react'
import { imageAt } from '../platform/media.ts'
import css from './Mosaic.module.css'

/** The picture of a playlist: four covers if it has four, otherwise the first one. */
export function Mosaic({ images, width }: { images: string[]; width: 96 | 320 }) {
  const shown = images.length >= 4 ? images.slice(0, 4) : images.slice(0, 1)
  return (
    <span className={css.mosaic} data-four={shown.length === 4 || undefined} aria-hidden>
      {shown.length === 0 && <IconPlaylist size={width === 96 ? 18 : 44} stroke={1.4} />}
      {shown.map((image, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two songs may have the same cover
        <img key={place} src={imageAt(image, width)} alt="" loading="lazy" />
      ))}
    </span>
  )
}
