import { members } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}

/**
 * Opens the pool in a new tab, as this member sees it. Call it directly in a click handler: browsers block windows
 * that are opened later.
 */
export async function viewAsMember(customerId: number): Promise<void> {
  let tab = openTab()
  try {
    const closeTab = () => {
      // An empty tab would cover the dialog that asks for confirmation.
      tab?.close()
      tab = null
    }
    const { token } = await callApi(members.viewAs, { customer_id: customerId }, { onConfirm: closeTab })
    tab ??= openTab()
    if (!tab) throw new Error(texts.yourBrowserBlockedTheNew)
    tab.location.replace(`/#view=${token}`)
  } catch (error) {
    tab?.close()
    void toastError(texts.couldntOpenTheMemberView, error as Error)
  }
}
