import type { membership, ReplyOf } from '@dubplate/contract'
import { renewRecoveryCodes, startTwoStep, stopTwoStep } from '@dubplate/contract/schemas/account'
import { Group } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { changeProfile } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountSection } from './AccountSection.tsx'
import { Alert } from './Alert.tsx'
import { PasswordPrompt } from './PasswordPrompt.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { TwoStepCode } from './TwoStepCode.tsx'

export type Secret = ReplyOf<typeof startTwoStep>

/** The current step. Every change starts with the password. */
type Step =
  | { at: 'rest' }
  | { at: 'password'; action: 'on' | 'codes' | 'off' }
  | { at: 'app'; secret: Secret }
  | { at: 'codes'; codes: string[] }

const IDLE_STEP: Step = { at: 'rest' }

/** Two-factor authentication: enabled with an authenticator app, with recovery codes as a backup. */
export function TwoStep({ profile }: { profile: membership.Profile }) {
  const [step, setStep] = useState<Step>(IDLE_STEP)
  const resetStep = () => setStep(IDLE_STEP)
  const isOn = profile.has_two_factor
  return (
    <AccountSection title={texts.twoFactorAuthentication} description={texts.twoFactorBenefit}>
      {profile.two_factor_required && !isOn && <Alert tone="note">{texts.staffAccountsNeedTwoFactor}</Alert>}
      {step.at === 'rest' && <TwoStepOverview isOn={isOn} onStart={(action) => setStep({ at: 'password', action })} />}
      {step.at === 'password' && <PasswordStep action={step.action} onStep={setStep} onCancel={resetStep} />}
      {step.at === 'app' && (
        <TwoStepCode secret={step.secret} onCancel={resetStep} onEnabled={(codes) => setStep({ at: 'codes', codes })} />
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} onSaved={resetStep} />}
    </AccountSection>
  )
}

type TwoStepAction = Extract<Step, { at: 'password' }>['action']

function TwoStepOverview({ isOn, onStart }: { isOn: boolean; onStart: (action: TwoStepAction) => void }) {
  if (!isOn)
    return (
      <div>
        <Button variant="primary" onClick={() => onStart('on')}>
          {texts.turnOn}
        </Button>
      </div>
    )
  return (
    <>
      <Group component="p" gap="sm" c="var(--ok)">
        <IconShieldCheck size={18} aria-hidden /> {texts.twoFactorTurnedOn}
      </Group>
      <Group gap="sm">
        <Button onClick={() => onStart('codes')}>{texts.generateNewRecoveryCodes}</Button>
        <Button variant="danger" onClick={() => onStart('off')}>
          {texts.turnOff}
        </Button>
      </Group>
    </>
  )
}

type PasswordProps = { action: TwoStepAction; onStep: (step: Step) => void; onCancel: () => void }

function PasswordStep({ action, onStep, onCancel }: PasswordProps) {
  if (action === 'on')
    return (
      <PasswordPrompt
        call={startTwoStep}
        label={texts.turnOnTwoFactorAuthentication}
        submit={texts.continueLabel}
        onDone={(secret) => onStep({ at: 'app', secret })}
        onCancel={onCancel}
      />
    )
  if (action === 'codes')
    return (
      <>
        <p>{texts.yourCurrentRecoveryCodesWill}</p>
        <PasswordPrompt
          call={renewRecoveryCodes}
          label={texts.generateNewRecoveryCodes}
          submit={texts.generateCodes}
          onDone={({ recovery_codes }) => onStep({ at: 'codes', codes: recovery_codes })}
          onCancel={onCancel}
        />
      </>
    )
  const handleTurnedOff = () => {
    changeProfile({ has_two_factor: false })
    void toast({ message: texts.twoFactorAuthenticationIsOff })
    onStep(IDLE_STEP)
  }
  return (
    <PasswordPrompt
      call={stopTwoStep}
      label={texts.turnOffTwoFactorAuthentication}
      submit={texts.turnOff}
      look="danger"
      onDone={handleTurnedOff}
      onCancel={onCancel}
    />
  )
}
