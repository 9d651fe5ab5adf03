import css from './Equaliser.module.css'
import * as texts from './texts.ts'

/** The animated bars in the row of the playing song. */
export const Equaliser = () => (
  <span className={css.equaliser}>
    <span className="sr">{texts.playing}</span>
    <i />
    <i />
    <i />
  </span>
)
