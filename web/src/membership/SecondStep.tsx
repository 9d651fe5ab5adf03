import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { ErrorMessages } from './ErrorMessages.tsx'
import joining from './Joining.module.css'
import { submitSecondStep } from './signInCalls.ts'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

/** Where the code comes from: the authenticator app, or the list of recovery codes. */
const SOURCES = {
  app: {
    label: texts.code,
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
  /** Valid only for this step. */
  token: string
  onDone: () => void
  /** Returns to the password; `reason` is the error if the step has expired. */
  onExpired: (reason: string | undefined) => void
}

export function SecondStep({ token, onDone, onExpired }: Props) {
  const [source, setSource] = useState<keyof typeof SOURCES>('app')
  const { label, hint, other, input } = SOURCES[source]
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { code: '' },
    validate: ({ code }) => (code.trim() ? {} : { code: texts.enterTheCode }),
    send: async ({ code }) => {
      await submitSecondStep({ token, code })
      onDone()
    },
    onRejected: (apiError) => {
      if (apiError.code === 'invalid_code') form.setValues({ code: '' })
      if (apiError.code !== 'two_factor_expired') return false
      onExpired(apiError.message)
      return true
    },
  })
  const switchSource = () => {
    setSource(source === 'app' ? 'list' : 'app')
    form.setValues({ code: '' })
    form.getInputNode('code')?.focus()
  }
  return (
    <form noValidate className={joining.form} onSubmit={submit}>
      <ErrorMessages messages={errorMessages} />
      <p className={joining.hint}>{hint}</p>
      <TextInput key={source} label={label} autoFocus {...input} {...form.getInputProps('code')} />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.signIn}
      </Button>
      <p className={joining.ways}>
        <button type="button" className={joining.link} onClick={switchSource}>
          {other}
        </button>
        <button type="button" className={joining.link} onClick={() => onExpired(undefined)}>
          {texts.backToPassword}
        </button>
      </p>
    </form>
  )
}
