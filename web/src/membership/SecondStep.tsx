import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Complaints } from './Complaints.tsx'
import { takeSecondStep } from './entry.ts'
import joining from './Joining.module.css'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

/** Where the code comes from: the authenticator app, or the list of recovery codes. */
const SOURCES = {
  app: {
    label: 'Code',
    hint: texts.enterThe6DigitCode,
    other: texts.useARecoveryCode,
    input: { autoComplete: 'one-time-code', inputMode: 'numeric' },
  },
  list: {
    label: texts.recoveryCode,
    hint: texts.enterOneOfYourRecovery,
    other: texts.useYourAuthenticatorApp,
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
    validate: ({ code }) => (code.trim() ? {} : { code: texts.enterTheCode }),
    send: async ({ code }) => {
      await takeSecondStep({ token, code })
      onDone()
    },
    onRefused: (refusal) => {
      if (refusal.code === 'invalid_code') form.setValues({ code: '' })
      if (refusal.code !== 'two_factor_expired') return false
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
        {texts.signIn}
      </Button>
      <p className={joining.ways}>
        <button type="button" className={joining.link} onClick={change}>
          {other}
        </button>
        <button type="button" className={joining.link} onClick={() => onOver(undefined)}>
          {texts.backToPassword}
        </button>
      </p>
    </form>
  )
}
