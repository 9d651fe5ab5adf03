import { Button } from '../ui/Button.tsx'
import { openDialog } from './address.ts'
import * as texts from './texts.ts'

/** What a visitor is offered where only members get on. */
export const Invitation = () => (
  <>
    <Button variant="primary" onClick={() => openDialog('sign-in')}>
      {texts.signIn}
    </Button>
    <Button onClick={() => openDialog('create-account')}>{texts.createAccount}</Button>
  </>
)
