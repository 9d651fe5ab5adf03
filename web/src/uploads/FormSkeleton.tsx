import css from './FormBones.module.css'

/** The form while it is on its way, in its size. */
export const FormBones = () => (
  <div className={css.form} aria-busy>
    <div className={css.bone} />
    <div className={css.bone} />
  </div>
)
