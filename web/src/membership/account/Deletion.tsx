import type { membership } from '@dubplate/contract'
import { deleteAccount } from '@dubplate/contract/schemas/account'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { goTo } from '../../platform/address.ts'
import { clearSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountSection } from './AccountSection.tsx'
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
  <Stack gap="sm">
    <p>{texts.thisImmediatelyDeletesYourName}</p>
    <p>{texts.thisCantBeUndoneDownload}</p>
  </Stack>
)

function ConfirmDeletion({ profile, onCancel }: { profile: membership.Profile; onCancel: () => void }) {
  const handleDeleted = () => {
    clearProfileDraft(profile)
    clearSession()
    goTo('/')
    void toast({ message: texts.yourAccountHasBeenDeleted })
  }
  return (
    <PasswordPrompt
      call={deleteAccount}
      label={texts.deleteAccount}
      submit={texts.deleteAccount}
      look="danger"
      djName={profile.dj_name}
      onDone={handleDeleted}
      onCancel={onCancel}
    />
  )
}
