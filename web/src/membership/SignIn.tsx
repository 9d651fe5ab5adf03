import { site } from '@dubplate/contract'
import { signIn as signInCall } from '@dubplate/contract/schemas/membership'
import { PasswordInput, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import { RefusalError } from '../platform/api.ts'
import { useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { forgetEmail, keepEmail, typedEmail } from './draft.ts'
import { signIn } from './membership.ts'
import css from './SignIn.module.css'

type Props = { onClose: () => void }

export function SignIn({ onClose }: Props) {
  const ended = useSession((session) => session.ended)
  return (
    <Dialog title="Sign in" onClose={onClose}>
      {ended && (
        <p className={css.notice}>Your session has ended. Sign in again and go on where you were; nothing is lost.</p>
      )}
      <SignInForm onDone={onClose} />
    </Dialog>
  )
}

function SignInForm({ onDone }: { onDone: () => void }) {
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [complaints, setComplaints] = useState<string[]>([])
  const form = useForm({
    initialValues: { email: typedEmail(), password: '' },
    validate: schemaResolver(signInCall.input, { sync: true }),
    // Until the first attempt nobody is corrected while still typing; after it, at each change.
    validateInputOnChange: isTried,
    onValuesChange: ({ email }) => keepEmail(email),
  })
  const submit = form.onSubmit(
    async (typed) => {
      setBusy(true)
      setComplaints([])
      try {
        await signIn(typed)
        forgetEmail()
        onDone()
      } catch (error) {
        if (error instanceof RefusalError) form.setErrors(error.fields)
        setComplaints(complaintsOf(error))
        setBusy(false)
      }
    },
    () => setTried(true),
  )
  return (
    <form noValidate className={css.form} onSubmit={submit}>
      <Complaints sentences={complaints} />
      <TextInput label="Email" type="email" autoComplete="username" data-autofocus {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        {...form.getInputProps('password')}
      />
      <Button type="submit" look="primary" busy={isBusy}>
        Sign in
      </Button>
      <DemoMembers onPick={(email, password) => form.setValues({ email, password })} />
    </form>
  )
}

function complaintsOf(error: unknown): string[] {
  if (error instanceof RefusalError) return error.errors
  return [error instanceof Error ? error.message : 'Something went wrong.']
}

/** One reason is a sentence, several are a list. */
function Complaints({ sentences }: { sentences: string[] }) {
  return (
    <div role="alert" className={css.complaints} hidden={sentences.length === 0}>
      {sentences.length === 1 ? (
        sentences[0]
      ) : (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** In a demo pool the members are named, and one press fills them in. */
function DemoMembers({ onPick }: { onPick: (email: string, password: string) => void }) {
  const { data } = useAsk(site.getPool, {})
  if (!data?.demo_members.length) return null
  return (
    <section className={css.demo} aria-label="Demo members">
      <p>This pool is a demo. Fill in one of its members:</p>
      <ul>
        {data.demo_members.map(({ email, password, what }) => (
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
