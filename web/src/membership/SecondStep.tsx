import { secondStep } from '@dubplate/contract/schemas/membership'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ResourceFormState, useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Form } from './Form.tsx'
import css from './Membership.module.css'
import { submitSecondStep } from './signInCalls.ts'
import * as texts from './texts.ts'

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
  const form: ResourceFormState<{ code: string }> = useResourceForm({
    call: secondStep,
    values: { code: '' },
    toInput: ({ code }) => ({ token, code }),
    onRejected: (error) => {
      if (error.code === 'invalid_code') form.setValues({ code: '' })
      if (error.code !== 'two_factor_expired') return false
      onExpired(error.message)
      return true
    },
    save: (_, __, { code }) => submitSecondStep({ token, code }),
    onSaved: onDone,
  })
  const switchSource = () => {
    setSource(source === 'app' ? 'list' : 'app')
    form.setValues({ code: '' })
  }
  return (
    <Form form={form}>
      <p className={css.hint}>{hint}</p>
      <TextInput key={source} label={label} autoFocus {...input} {...form.field('code')} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.signIn}
      </Button>
      <p className={css.links}>
        <button type="button" className={css.link} onClick={switchSource}>
          {other}
        </button>
        <button type="button" className={css.link} onClick={() => onExpired(undefined)}>
          {texts.backToPassword}
        </button>
      </p>
    </Form>
  )
}
