import css from './Equaliser.module.css'
import * as texts from './texts.ts'

/** Bars that move in the row of what plays. */
export const Equaliser = () => (
  <span className={css.equaliser}>
    <span className="sr">{texts.playing}</span>
    <i />
    <i />
    <i />
  </span>
)
