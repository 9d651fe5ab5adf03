import type { CSSProperties } from 'react'
import css from './RowSkeleton.module.css'
import row from './SongRow.module.css'

/** A placeholder row at its real height while the songs load. */
export const RowSkeleton = ({ number }: { number: number }) => (
  <div className={row.row} aria-hidden style={{ '--delay': `${number * 40}ms` } as CSSProperties}>
    <i className={row.number} />
    <i className={`${row.cover} ${css.bone}`} />
    <span className={`${row.title} ${css.lines}`}>
      <i className={css.bone} />
      <i className={css.bone} />
    </span>
    <i className={`${row.versions} ${css.bone} ${css.boneChips}`} />
  </div>
)
