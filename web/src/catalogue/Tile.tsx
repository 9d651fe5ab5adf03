import type { ReactNode } from 'react'
import { imageAt } from '../platform/media.ts'
import css from './Tile.module.css'

type Props = {
  image: string
  title: string
  note?: string | undefined /** Below the first screen: the picture waits. */
  late?: boolean
}

/** A square picture with a title; stands inside a link. */
export const Tile = ({ image, title, note, late = false }: Props) => (
  <span className={css.tile}>
    <img
      src={imageAt(image, 320)}
      alt=""
      width={320}
      height={320}
      loading={late ? 'lazy' : undefined}
      decoding="async"
    />
    <b title={title}>{title}</b>
    {note && <small>{note}</small>}
  </span>
)

export const TileSkeleton = ({ note = true }: { note?: boolean }) => (
  <span className={css.tile} aria-hidden>
    <i />
    <b>&nbsp;</b>
    {note && <small>&nbsp;</small>}
  </span>
)

/** Tiles below each other, as many beside each other as fit. Its children are `<li>`. */
export const TileGrid = ({ children }: { children: ReactNode }) => <ul className={css.grid}>{children}</ul>
