import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Complaints } from './Complaints.tsx'
import { takeSecondStep } from './entry.ts'
import joining from './Joining.module.css'
import { useDialogForm } from './useDialogForm.ts'

/** Where the code comes from: the authenticator app, or the list of recovery codes. */
const SOURCES = {
  app: {
    label: 'Code',
    hint: 'Your password was right. Now type the six digits that your authenticator app shows.',
    other: 'Use a recovery code instead',
    input: { autoComplete: 'one-time-code', inputMode: 'numeric' },
  },
  list: {
    label: 'Recovery code',
    hint: 'Type one of the recovery codes you kept when you switched this on. Each works once.',
    other: 'Use the authenticator app instead',
    input: { autoComplete: 'off', inputMode: 'text', autoCapitalize: 'none', spellCheck: false },
  },
} as const

type Props = {
  /** Good only for this step. */
  token: string
  onDone: () => void
  /** Goes back to the password; `why` where the step is over. */
  onOver: (why: string | undefined) => void
}

export function SecondStep({ token, onDone, onOver }: Props) {
  const [source, setSource] = useState<keyof typeof SOURCES>('app')
  const { label, hint, other, input } = SOURCES[source]
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { code: '' },
    validate: ({ code }) => (code.trim() ? {} : { code: 'Code cannot be blank!' }),
    send: async ({ code }) => {
      await takeSecondStep({ token, code })
      onDone()
    },
    onRefused: (refusal) => {
      if (refusal.code === 'wrong_code') form.setValues({ code: '' })
      if (refusal.code !== 'second_step_over') return false
      onOver(refusal.message)
      return true
    },
  })
  const change = () => {
    setSource(source === 'app' ? 'list' : 'app')
    form.setValues({ code: '' })
    form.getInputNode('code')?.focus()
  }
  return (
    <form noValidate className={joining.form} onSubmit={submit}>
      <Complaints sentences={complaints} />
      <p className={joining.hint}>{hint}</p>
      <TextInput key={source} label={label} autoFocus {...input} {...form.getInputProps('code')} />
      <Button type="submit" look="primary" busy={isBusy}>
        Sign in
      </Button>
      <p className={joining.ways}>
        <button type="button" className={joining.link} onClick={change}>
          {other}
        </button>
        <button type="button" className={joining.link} onClick={() => onOver(undefined)}>
          Back to the password
        </button>
      </p>
    </form>
  )
}
