import css from './FormSkeleton.module.css'

/** Placeholder at the size of the form while it loads. */
export const FormSkeleton = () => (
  <div className={css.form} aria-busy>
    <div className={css.bone} />
    <div className={css.bone} />
  </div>
)
