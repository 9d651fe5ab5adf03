import { site } from '@dubplate/contract'
import { signIn as signInCall } from '@dubplate/contract/schemas/membership'
import { TextInput } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { useState } from 'react'
import type { RefusalError } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { becomeApplicant, tokenIn } from './applicant.ts'
import { Complaints } from './Complaints.tsx'
import { keepTyped, typed } from './draft.ts'
import { keepPlace } from './elsewhere.ts'
import { signIn } from './entry.ts'
import joining from './Joining.module.css'
import { PasswordField } from './PasswordField.tsx'
import { SendAgain } from './SendAgain.tsx'
import css from './SignIn.module.css'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'
import { WhereMailGoes } from './WhereMailGoes.tsx'

type Props = {
  /** Why another way in did not work. */
  trouble: string | undefined
  /** True where a refusal is a step on the way. */
  goOn: (refusal: RefusalError) => boolean
  onDone: () => void
}

export function SignInForm({ trouble, goOn, onDone }: Props) {
  const [isUnconfirmed, setUnconfirmed] = useState(false)
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { email: typed().email, password: '' },
    validate: schemaResolver(signInCall.input, { sync: true }),
    keep: keepTyped,
    send: async (values) => {
      setUnconfirmed(false)
      await signIn(values)
      onDone()
    },
    onRefused: (refusal) => {
      setUnconfirmed(takeUnconfirmed(refusal))
      return goOn(refusal)
    },
  })
  const sentences = complaints.length > 0 || !trouble || isBusy ? complaints : [trouble]
  return (
    <form noValidate className={joining.form} onSubmit={submit}>
      <Complaints sentences={sentences}>
        {isUnconfirmed && (
          <>
            <SendAgain>{texts.resendEmail}</SendAgain>
            <WhereMailGoes />
          </>
        )}
      </Complaints>
      <TextInput
        label={texts.email}
        type="email"
        autoComplete="username"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <PasswordField label={texts.password} autoComplete="current-password" {...form.getInputProps('password')} />
      <Button type="submit" look="primary" busy={isBusy}>
        {texts.signIn}
      </Button>
      <Elsewhere />
      <p className={joining.ways}>
        <DialogLink to="create-account" className={joining.link}>
          {texts.createAccount}
        </DialogLink>
        <DialogLink to="recover" className={joining.link}>
          {texts.forgotPassword}
        </DialogLink>
      </p>
      <DemoMembers onPick={(email, password) => form.setValues({ email, password })} />
    </form>
  )
}

/** An address that waits for its mailed link to be opened: the refusal's token lets the mail be sent once more. */
function takeUnconfirmed({ code, data }: RefusalError): boolean {
  const token = tokenIn(data)
  if (code !== 'email_not_verified' || !token) return false
  becomeApplicant(token)
  return true
}

/** The operator's own sign-in, which is another page. */
function Elsewhere() {
  const { data: pool } = useAsk(site.getPool, {})
  if (!pool?.sign_in_elsewhere) return null
  const { name, url } = pool.sign_in_elsewhere
  return (
    <a href={url} className={buttons.button} onClick={keepPlace}>
      {format(texts.signInWith, { name })}
    </a>
  )
}

/** In a demo pool the members are named, and one press fills them in. */
function DemoMembers({ onPick }: { onPick: (email: string, password: string) => void }) {
  const { data: pool } = useAsk(site.getPool, {})
  if (!pool?.demo_members.length) return null
  return (
    <section className={css.demo} aria-label={texts.demoAccounts}>
      <p>{texts.demoTryOneOfThese}</p>
      <ul>
        {pool.demo_members.map(({ email, password, what }) => (
          <li key={email}>
            <button type="button" onClick={() => onPick(email, password)}>
              <b>{email}</b>
              <small>{what}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
