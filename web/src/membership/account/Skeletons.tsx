import css from './Skeletons.module.css'

/** Placeholder fields in their real size: two per row, or in one column. */
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

/** Placeholder rows while a list loads. */
export const ListRowSkeleton = ({ count, height_px }: { count: number; height_px: number }) => (
  <div className={css.rows}>
    {[...Array(count).keys()].map((n) => (
      <i key={n} style={{ height: height_px }} />
    ))}
  </div>
)
