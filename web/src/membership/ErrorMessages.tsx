import type { ReactNode } from 'react'
import css from './Joining.module.css'

type Props = {
  messages: string[]
  /** What can be done about it. */
  children?: ReactNode
}

/** Why a form was not taken, as a list, also where it is one reason. */
export const ErrorMessages = ({ messages, children }: Props) => (
  <div role="alert" className={css.complaints} hidden={messages.length === 0}>
    <ul>
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
    {messages.length > 0 && children}
  </div>
)
