import { account, type membership, type ReplyOf } from '@dubplate/contract'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ask } from '../../platform/api.ts'
import { changeProfile } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { Alert } from './Alert.tsx'
import { Part } from './Part.tsx'
import { PasswordAsked } from './PasswordAsked.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import css from './TwoStep.module.css'
import { TwoStepCode } from './TwoStepCode.tsx'

export type Secret = ReplyOf<typeof account.startTwoStep>

/** How far the member is. Every change begins with the password. */
type Step =
  | { at: 'rest' }
  | { at: 'password'; wants: 'on' | 'codes' | 'off' }
  | { at: 'app'; secret: Secret }
  | { at: 'codes'; codes: string[] }

const REST: Step = { at: 'rest' }

/** Two-step sign-in: switched on with an authenticator app, kept with recovery codes. */
export function TwoStep({ profile }: { profile: membership.Profile }) {
  const [step, setStep] = useState<Step>(REST)
  const rest = () => setStep(REST)
  const isOn = profile.two_step
  return (
    <Part title={texts.twoFactorAuthentication} about={texts.addACodeFromYour}>
      {profile.two_step_needed && !isOn && <Alert tone="note">{texts.staffAccountsNeedTwoFactor}</Alert>}
      {step.at === 'rest' && <Rest isOn={isOn} onWant={(wants) => setStep({ at: 'password', wants })} />}
      {step.at === 'password' && <Password wants={step.wants} onStep={setStep} onCancel={rest} />}
      {step.at === 'app' && (
        <TwoStepCode secret={step.secret} onCancel={rest} onOn={(codes) => setStep({ at: 'codes', codes })} />
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} onKept={rest} />}
    </Part>
  )
}

type Want = Extract<Step, { at: 'password' }>['wants']

function Rest({ isOn, onWant }: { isOn: boolean; onWant: (wants: Want) => void }) {
  if (!isOn)
    return (
      <div className={css.actions}>
        <Button look="primary" onClick={() => onWant('on')}>
          {texts.turnOn}
        </Button>
      </div>
    )
  return (
    <>
      <p className={css.on}>
        <IconShieldCheck size={18} aria-hidden /> {texts.twoFactorAuthenticationIsOn}
      </p>
      <div className={css.actions}>
        <Button onClick={() => onWant('codes')}>{texts.generateNewRecoveryCodes}</Button>
        <Button look="danger" onClick={() => onWant('off')}>
          {texts.turnOff}
        </Button>
      </div>
    </>
  )
}

const WORDS: Record<Want, { label: string; submit: string; look: 'primary' | 'danger' }> = {
  on: { label: texts.turnOnTwoFactorAuthentication, submit: 'Continue', look: 'primary' },
  codes: { label: texts.generateNewRecoveryCodes, submit: texts.generateCodes, look: 'primary' },
  off: { label: texts.turnOffTwoFactorAuthentication, submit: texts.turnOff, look: 'danger' },
}

type PasswordProps = { wants: Want; onStep: (step: Step) => void; onCancel: () => void }

function Password({ wants, onStep, onCancel }: PasswordProps) {
  const send: Record<Want, (password: string) => Promise<void>> = {
    on: async (password) => onStep({ at: 'app', secret: await ask(account.startTwoStep, { password }) }),
    codes: async (password) =>
      onStep({ at: 'codes', codes: (await ask(account.renewRecoveryCodes, { password })).recovery_codes }),
    off: async (password) => {
      await ask(account.stopTwoStep, { password })
      changeProfile({ two_step: false })
      void toast({ message: texts.twoFactorAuthenticationIsOff })
      onStep(REST)
    },
  }
  return (
    <>
      {wants === 'codes' && <p>{texts.yourCurrentRecoveryCodesWill}</p>}
      <PasswordAsked {...WORDS[wants]} onSend={send[wants]} onCancel={onCancel} />
    </>
  )
}
