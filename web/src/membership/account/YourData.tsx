import type { membership, ReplyOf } from '@dubplate/contract'
import { deleteAccount, exportAccount } from '@dubplate/contract/schemas/account'
import { Stack } from '@mantine/core'
import { useState } from 'react'
import { goTo } from '../../platform/address.ts'
import { saveAs } from '../../platform/saveAs.ts'
import { clearSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { AccountSection } from './AccountSection.tsx'
import { PasswordPrompt } from './PasswordPrompt.tsx'
import { clearProfileDraft } from './profileDraft.ts'
import { ListRowSkeleton } from './Skeletons.tsx'

/** What the pool stores about a member: to export or delete. */
export const YourData = () => (
  <AccountPage title={texts.yourData} skeleton={<ListRowSkeleton count={2} height_px={150} />}>
    {(profile: membership.Profile) => (
      <>
        <DataExport />
        <Deletion profile={profile} />
      </>
    )}
  </AccountPage>
)

/** A copy of all data stored about the member, as a zip. */
function DataExport() {
  const [isRequested, setRequested] = useState(false)
  const save = ({ url, file }: ReplyOf<typeof exportAccount>) => {
    saveAs(url, file)
    setRequested(false)
    void toast({ title: texts.downloadStarted, message: file })
  }
  return (
    <AccountSection title={texts.downloadMyData} description={texts.dataDownloadHint}>
      {isRequested ? (
        <PasswordPrompt
          call={exportAccount}
          label={texts.downloadMyData}
          submit={texts.download}
          onDone={save}
          onCancel={() => setRequested(false)}
        />
      ) : (
        <div>
          <Button onClick={() => setRequested(true)}>{texts.downloadMyData}</Button>
        </div>
      )}
    </AccountSection>
  )
}

/** Deletes the account after the password and DJ name have been entered. */
function Deletion({ profile }: { profile: membership.Profile }) {
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
