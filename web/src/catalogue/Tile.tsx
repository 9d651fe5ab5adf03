import type { ReactNode } from 'react'
import { imageAt } from '../platform/media.ts'
import css from './Tiles.module.css'

type Props = {
  image: string
  title: string
  note?: ReactNode
  /** Below the first screen: the picture loads lazily. */
  isLazy?: boolean
}

const TileImage = ({ image, isLazy = false }: Pick<Props, 'image' | 'isLazy'>) => (
  <img
    src={imageAt(image, 320)}
    alt=""
    width={320}
    height={320}
    loading={isLazy ? 'lazy' : undefined}
    fetchPriority={isLazy ? undefined : 'high'}
    decoding="async"
  />
)

/** A square picture with a title; used inside a link. */
export const Tile = ({ image, title, note, isLazy }: Props) => (
  <span className={css.tile}>
    <TileImage image={image} isLazy={isLazy} />
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

type GridProps = {
  /** `four` in a row, or six in two rows of three (`six`), fewer in small windows; otherwise as many as fit. */
  columns?: 'four' | 'six'
  /** The next page is loading; the previous one is still shown. */
  isStale?: boolean
  children: ReactNode
}

/** A grid of tiles. Its children are `<li>`. */
export const TileGrid = ({ columns, isStale, children }: GridProps) => (
  <ul className={css.grid} data-across={columns} aria-busy={isStale || undefined}>
    {children}
  </ul>
)

/** Placeholder at the height of a grid while its tiles load. */
export const TileGridSkeleton = ({
  tiles,
  columns,
  note,
}: {
  tiles: number
  columns?: 'four' | 'six'
  note?: boolean
}) => (
  <TileGrid columns={columns}>
    {Array.from({ length: tiles }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tiles are all alike
      <li key={i}>
        <TileSkeleton note={note} />
      </li>
    ))}
  </TileGrid>
)
