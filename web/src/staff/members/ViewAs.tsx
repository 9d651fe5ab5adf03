import { members } from '@dubplate/contract'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { Button } from '../../ui/Button.tsx'
import { toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}

/** Opens the pool in a new tab, as this member sees it. */
export function ViewAs({ customerId }: { customerId: number }) {
  const [isOpening, setOpening] = useState(false)
  const view = async () => {
    // Opened directly in the click handler: browsers block windows opened later.
    let tab = openTab()
    setOpening(true)
    try {
      const closeTab = () => {
        // An empty tab would cover the dialog that asks for confirmation.
        tab?.close()
        tab = null
      }
      const { token } = await callApi(members.viewAs, { customer_id: customerId }, { onConfirm: closeTab })
      tab ??= openTab()
      if (tab) tab.location.replace(`/#view=${token}`)
      else throw new Error(texts.yourBrowserBlockedTheNew)
    } catch (error) {
      tab?.close()
      void toastError(texts.couldntOpenTheMemberView, error as Error)
    }
    setOpening(false)
  }
  return (
    <Button disabled={isOpening} onClick={() => void view()}>
      {texts.viewAsMember}
    </Button>
  )
}
