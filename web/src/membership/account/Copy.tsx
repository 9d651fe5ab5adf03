import { account } from '@dubplate/contract'
import { useState } from 'react'
import { ask } from '../../platform/api.ts'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { Part } from './Part.tsx'
import { PasswordAsked } from './PasswordAsked.tsx'

/** A copy of all that is kept of the member, as a zip. */
export function Copy() {
  const [isAsked, setAsked] = useState(false)
  const send = async (password: string) => {
    const { url, file } = await ask(account.exportAccount, { password })
    saveAs(url, file)
    setAsked(false)
    void toast({ title: 'Download started', message: file })
  }
  return (
    <Part
      title="Download my data"
      about="Get a zip file with your profile, sign-ins, crate, favourites, playlists, listening history and downloads as JSON and CSV."
    >
      {isAsked ? (
        <PasswordAsked label="Download my data" submit="Download" onSend={send} onCancel={() => setAsked(false)} />
      ) : (
        <div>
          <Button onClick={() => setAsked(true)}>Download my data</Button>
        </div>
      )}
    </Part>
  )
}
