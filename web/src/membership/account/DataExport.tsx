import type { ReplyOf } from '@dubplate/contract'
import { exportAccount } from '@dubplate/contract/schemas/account'
import { useState } from 'react'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountSection } from './AccountSection.tsx'
import { PasswordPrompt } from './PasswordPrompt.tsx'

/** A copy of all data stored about the member, as a zip. */
export function DataExport() {
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
