import '../../styles/mantine-forms.css'
import { account, type membership } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { format } from '../../format/message.ts'
import { goTo } from '../../platform/address.ts'
import { callApi } from '../../platform/api.ts'
import { clearSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountSection } from './AccountSection.tsx'
import css from './Deletion.module.css'
import { PasswordPrompt } from './PasswordPrompt.tsx'
import { clearProfileDraft } from './profileDraft.ts'

/** Deletes the account after the password and DJ name have been entered. */
export function Deletion({ profile }: { profile: membership.Profile }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <AccountSection title={texts.deleteAccount} description={<DeletionConsequences />}>
      {isAsked ? (
        <ConfirmDeletion profile={profile} onCancel={() => setAsked(false)} />
      ) : (
        <div>
          <Button variant="danger" onClick={() => setAsked(true)}>
            {texts.deleteAccount}
          </Button>
        </div>
      )}
    </AccountSection>
  )
}

const DeletionConsequences = () => (
  <div className={css.what}>
    <p>{texts.thisImmediatelyDeletesYourName}</p>
    <p>{texts.thisCantBeUndoneDownload}</p>
  </div>
)

const isSameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

function ConfirmDeletion({ profile, onCancel }: { profile: membership.Profile; onCancel: () => void }) {
  const [name, setName] = useState('')
  const [errorMessage, setErrorMessage] = useState('')
  const remove = async (password: string) => {
    if (!isSameName(name, profile.dj_name))
      return setErrorMessage(format(texts.enterToDeleteYourAccount, { dj_name: profile.dj_name }))
    await callApi(account.deleteAccount, { password })
    clearProfileDraft(profile)
    clearSession()
    goTo('/')
    void toast({ message: texts.yourAccountHasBeenDeleted })
  }
  return (
    <PasswordPrompt
      label={texts.deleteAccount}
      submit={texts.deleteAccount}
      look="danger"
      onSend={remove}
      onCancel={onCancel}
    >
      <TextInput
        label={format(texts.enterDjNameToConfirm, { dj_name: profile.dj_name })}
        autoComplete="off"
        autoFocus
        value={name}
        error={errorMessage}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setErrorMessage('')
        }}
      />
    </PasswordPrompt>
  )
}
