import type { ReactNode } from 'react'
import css from './Membership.module.css'

type Props = {
  messages: readonly string[]
  /** The actions for the error. */
  children?: ReactNode
}

/** The errors of a form, as a list even if there is only one. */
export const ErrorMessages = ({ messages, children }: Props) => (
  <div role="alert" className={css.message} hidden={messages.length === 0}>
    <ul>
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
    {messages.length > 0 && children}
  </div>
)
