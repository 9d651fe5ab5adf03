import { Button } from '../ui/Button.tsx'
import { openDialog } from './address.ts'
import * as texts from './texts.ts'

/** Shown to visitors where only members can continue. */
export const Invitation = () => (
  <>
    <Button variant="primary" onClick={() => openDialog('sign-in')}>
      {texts.signIn}
    </Button>
    <Button onClick={() => openDialog('create-account')}>{texts.createAccount}</Button>
  </>
)
