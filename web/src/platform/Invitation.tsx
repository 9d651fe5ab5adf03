import { Button } from '../ui/Button.tsx'
import { openDialog } from './address.ts'
import * as texts from './texts.ts'

const EQUAL_WIDTH = { minWidth: 140 }

/** Shown to visitors where only members can continue. */
export const Invitation = () => (
  <>
    <Button variant="primary" style={EQUAL_WIDTH} onClick={() => openDialog('sign-in')}>
      {texts.signIn}
    </Button>
    <Button variant="primary" style={EQUAL_WIDTH} onClick={() => openDialog('create-account')}>
      {texts.createAccount}
    </Button>
  </>
)
