import { signInWithLink } from '@dubplate/contract/schemas/membership'
import { useState } from 'react'
import { history, openDialog } from '../platform/address.ts'
import { isSignedIn } from '../platform/session.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { applicantTokenOf } from './applicant.ts'
import { Form } from './Form.tsx'
import { JoiningDialog } from './JoiningDialog.tsx'
import css from './Membership.module.css'
import { saveSignInLink, signInLink } from './mailedLinks.ts'
import { SecondStep } from './SecondStep.tsx'
import { signInByLink } from './signInCalls.ts'
import * as texts from './texts.ts'

/** Opened by the link in an approval email. Programs that check emails open links, but press no buttons. */
export function SignInLink({ onClose }: { onClose: () => void }) {
  const [wasSignedIn] = useState(isSignedIn)
  const [secondStepToken, setSecondStepToken] = useState<string>()
  const goHome = () => history.replace('/')
  return (
    <JoiningDialog title={texts.welcome} onClose={onClose}>
      {wasSignedIn ? (
        <div className={css.form}>
          <p className={css.hint}>{texts.youreAlreadySignedIn}</p>
          <Button variant="primary" onClick={onClose}>
            {texts.startBrowsing}
          </Button>
        </div>
      ) : secondStepToken ? (
        <SecondStep token={secondStepToken} onDone={goHome} onExpired={() => openDialog('sign-in')} />
      ) : (
        <LinkForm onSecondStep={setSecondStepToken} />
      )}
    </JoiningDialog>
  )
}

function LinkForm({ onSecondStep }: { onSecondStep: (token: string) => void }) {
  const [isInvalid, setInvalid] = useState(() => !signInLink())
  const form = useResourceForm({
    call: signInWithLink,
    values: { token: signInLink() ?? '' },
    toInput: (values) => values,
    onRejected: ({ code, data, status }) => {
      const token = code === 'two_factor_required' ? applicantTokenOf(data) : undefined
      // Any answer of the server about the link itself is final; without a connection or when busy, it still works.
      setInvalid(status < 429)
      if (status < 429) saveSignInLink(undefined)
      if (token) onSecondStep(token)
      return token !== undefined
    },
    save: (_, __, { token }) => signInByLink(token),
    onSaved: (path) => {
      saveSignInLink(undefined)
      history.replace(path)
    },
  })
  return (
    <Form form={form}>
      <p className={css.hint}>{isInvalid ? texts.signInWithYourPassword : texts.yourApplicationIsApproved}</p>
      {isInvalid ? (
        <Button variant="primary" onClick={() => openDialog('sign-in')}>
          {texts.signInWithPassword}
        </Button>
      ) : (
        <Button type="submit" variant="primary" data-autofocus busy={form.isBusy}>
          {texts.signIn}
        </Button>
      )}
    </Form>
  )
}
