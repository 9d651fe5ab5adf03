import type { ReactNode } from 'react'
import css from './Joining.module.css'

type Props = {
  sentences: string[]
  /** What can be done about it. */
  children?: ReactNode
}

/** Why a form was not taken, as a list, also where it is one reason. */
export const Complaints = ({ sentences, children }: Props) => (
  <div role="alert" className={css.complaints} hidden={sentences.length === 0}>
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
    {sentences.length > 0 && children}
  </div>
)
