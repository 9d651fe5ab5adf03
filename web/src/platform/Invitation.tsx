import { Button } from '../ui/Button.tsx'
import { openDialog } from './address.ts'

/** What a visitor is offered where only members get on. */
export const Invitation = () => (
  <>
    <Button look="primary" onClick={() => openDialog('sign-in')}>
      Sign in
    </Button>
    <Button onClick={() => openDialog('create-account')}>Create account</Button>
  </>
)
