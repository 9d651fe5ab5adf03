import { account } from '@dubplate/contract'
import { useState } from 'react'
import { ask } from '../../platform/api.ts'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { Part } from './Part.tsx'
import { PasswordAsked } from './PasswordAsked.tsx'

/** A copy of all that is kept of the member, as a zip. */
export function Copy() {
  const [isAsked, setAsked] = useState(false)
  const send = async (password: string) => {
    const { url, file } = await ask(account.exportAccount, { password })
    saveAs(url, file)
    setAsked(false)
    void toast({ title: texts.downloadStarted, message: file })
  }
  return (
    <Part title={texts.downloadMyData} about={texts.getAZipFileWith}>
      {isAsked ? (
        <PasswordAsked
          label={texts.downloadMyData}
          submit={texts.download}
          onSend={send}
          onCancel={() => setAsked(false)}
        />
      ) : (
        <div>
          <Button onClick={() => setAsked(true)}>{texts.downloadMyData}</Button>
        </div>
      )}
    </Part>
  )
}
