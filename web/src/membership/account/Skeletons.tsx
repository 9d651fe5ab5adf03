import css from './Bones.module.css'

/** Fields that are on their way, in their size: two beside each other, or in one column. */
export const FieldSkeleton = ({ count, column = false }: { count: number; column?: boolean }) => (
  <div className={css.fields} data-column={column || undefined}>
    {[...Array(count).keys()].map((n) => (
      <div key={n} className={css.field}>
        <i />
        <i />
      </div>
    ))}
  </div>
)

/** Rows that are on their way. */
export const ListRowSkeleton = ({ count, height_px }: { count: number; height_px: number }) => (
  <div className={css.rows}>
    {[...Array(count).keys()].map((n) => (
      <i key={n} style={{ height: height_px }} />
    ))}
  </div>
)
