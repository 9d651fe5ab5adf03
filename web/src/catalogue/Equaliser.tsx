import css from './Equaliser.module.css'

/** Bars that move in the row of what plays. */
export const Equaliser = () => (
  <span className={css.equaliser}>
    <span className="sr">Playing</span>
    <i />
    <i />
    <i />
  </span>
)
