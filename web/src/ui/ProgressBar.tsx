import css from './ProgressBar.module.css'

type Props = {
  /** What makes progress, for screen readers. */
  label: string
  /** The share that is done, from 0 to 1; undefined while it is not known. */
  value: number | undefined
}

/** A thin bar as wide as its container. */
export const ProgressBar = ({ label, value }: Props) => (
  <progress className={css.bar} max={1} value={value} aria-label={label} />
)
