import type { ReactNode } from 'react'
import type { FormFrame } from '../platform/useResourceForm.ts'
import { ErrorMessages } from './ErrorMessages.tsx'
import css from './Membership.module.css'

type Props = {
  form: Pick<FormFrame, 'element' | 'submit' | 'messages'>
  /** The accessible name of a form on a page; a dialog’s title names the form in it. */
  label?: string
  /** What can be done about the errors. */
  errorActions?: ReactNode
  children: ReactNode
}

/** A form with the errors that concern none of its fields above them. */
export const Form = ({ form: { element, submit, messages }, label, errorActions, children }: Props) => (
  <form ref={element} noValidate className={css.form} onSubmit={submit} aria-label={label}>
    <ErrorMessages messages={messages}>{errorActions}</ErrorMessages>
    {children}
  </form>
)
