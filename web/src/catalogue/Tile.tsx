import type { ReactNode } from 'react'
import { imageAt } from '../platform/media.ts'
import css from './Tile.module.css'

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

/** A picture with its text next to it, or below it on the widest windows with four in a row. Used inside a link. */
export const Card = ({ image, title, note, isLazy }: Props) => (
  <span className={css.card}>
    <TileImage image={image} isLazy={isLazy} />
    <span className={css.words}>
      <b title={title}>{title}</b>
      <small>{note}</small>
    </span>
  </span>
)

/** The placeholder of a card that is loading, or the error of one that failed to load (with text). */
export const CardSkeleton = ({ children }: { children?: ReactNode }) => (
  <div className={css.card}>
    <i />
    <div className={css.words}>{children || <b>&nbsp;</b>}</div>
  </div>
)

type GridProps = {
  /** `four` in a row, or six in two rows of three (`six`), fewer in small windows; otherwise as many as fit. */
  columns?: 'four' | 'six'
  children: ReactNode
}

/** A grid of tiles. Its children are `<li>`. */
export const TileGrid = ({ columns, children }: GridProps) => (
  <ul className={css.grid} data-across={columns}>
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
