import { create } from 'zustand'
import { setConfirmation } from '../platform/confirmation.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'

export type Method = 'password' | 'code' | 'sign_in'

type Pending = { method: Method; finish: (isConfirmed: boolean) => void }

const usePending = create<{ pending: Pending | null }>(() => ({ pending: null }))

/** Calls that are refused at the same time share one dialog. */
let confirmation: Promise<boolean> | undefined

setConfirmation((data) => {
  confirmation ??= new Promise<boolean>((resolve) => {
    const finish = (isConfirmed: boolean) => {
      confirmation = undefined
      usePending.setState({ pending: null })
      resolve(isConfirmed)
    }
    const method = (data as { method?: Method } | null)?.method ?? 'password'
    usePending.setState({ pending: { method, finish } })
  })
  return confirmation
})

/** The call is refused if the code of the dialog can't be loaded. */
const Dialog = lazyOnDemand(
  () => import('./IdentityDialog.tsx').then(({ ConfirmDialog }) => ConfirmDialog),
  () => usePending.getState().pending?.finish(false),
)

/** Shows the dialog when a sensitive call needs staff to confirm their identity; the form behind it stays unchanged. */
export function ConfirmIdentity() {
  const pending = usePending((state) => state.pending)
  return pending && <Dialog {...pending} />
}
