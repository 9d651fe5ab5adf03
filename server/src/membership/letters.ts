import { type Letter, type Sender, writeLetter } from '../platform/letter.ts'

/**
 * The letters about an account, in words. One to an address that nobody has confirmed holds nothing a stranger typed, so
 * that nobody sends words of their own through the pool.
 */

type Applicant = { email: string; dj_name: string }

/** Whose a letter is, as the outbox keeps it. */
export const ofCustomer = (customerId: number): string => `customer ${customerId}`
export const ofSignUp = (signUpId: number): string => `sign_up ${signUpId}`

const NOT_YOU = 'If this was not you, there is nothing to do: nothing happens without this link.'

const WRITE_TO_US = 'If this was not you, recover your password at once, and write to the help desk.'

export const confirmSignUp = (sender: Sender, to: string, token: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Confirm your address for ${sender.poolName}`,
    lines: [
      `Somebody signed up at ${sender.poolName} with this address. If that was you, confirm it with the password you chose, and your account is open.`,
    ],
    button: { label: 'Confirm my address', url: `${sender.publicUrl}/confirm#${token}` },
    note: `The link is good for seven days, once. ${NOT_YOU}`,
  })

export const accountExists = (sender: Sender, to: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `You have an account at ${sender.poolName}`,
    lines: [
      `Somebody signed up at ${sender.poolName} with this address. It has an account already, so no second one was made.`,
      'If that was you, sign in. If you do not know the password any more, choose “Forgot password?” there.',
    ],
    button: { label: 'Sign in', url: `${sender.publicUrl}/?dialog=sign-in` },
    note: 'If this was not you, there is nothing to do: your account is as it was.',
  })

export const applicationReceived = (sender: Sender, { email: to, dj_name }: Applicant): Letter =>
  writeLetter(sender, {
    to,
    subject: `${sender.poolName} has your DJ application`,
    lines: [
      `Hello ${dj_name},`,
      `thank you for applying. Somebody at ${sender.poolName} reads your application; a mail tells you what came of it. You can sign in once it is approved.`,
    ],
  })

export const approved = (sender: Sender, { email: to, dj_name }: Applicant): Letter =>
  writeLetter(sender, {
    to,
    subject: `Welcome to ${sender.poolName}`,
    lines: [`Hello ${dj_name},`, 'your DJ application was approved. Your account is open: sign in and have a listen.'],
    button: { label: 'Sign in', url: `${sender.publicUrl}/?dialog=sign-in` },
  })

export const declined = (sender: Sender, { email: to, dj_name, reason }: Applicant & { reason: string }): Letter =>
  writeLetter(sender, {
    to,
    subject: `Your DJ application at ${sender.poolName}`,
    lines: [
      `Hello ${dj_name},`,
      `thank you for applying at ${sender.poolName}. We have read your application and declined it. The reason:`,
      reason,
    ],
    note: 'If you think we got it wrong, write to the help desk of the pool.',
  })

export const takenUpAgain = (sender: Sender, { email: to, dj_name }: Applicant): Letter =>
  writeLetter(sender, {
    to,
    subject: `Your DJ application at ${sender.poolName} is read again`,
    lines: [
      `Hello ${dj_name},`,
      `your DJ application at ${sender.poolName} is being read once more. A mail tells you what came of it; until then you cannot sign in.`,
    ],
  })

export const recoverPassword = (sender: Sender, to: string, token: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Set a new password for ${sender.poolName}`,
    lines: [
      `Somebody asked to set a new password for your account at ${sender.poolName}. If that was you, set it here.`,
    ],
    button: {
      label: 'Set a new password',
      url: `${sender.publicUrl}/reset-password#${encodeURIComponent(to)}/${token}`,
    },
    note: 'The link is good for one hour, once. If this was not you, there is nothing to do: your password stays as it is.',
  })

export const passwordChanged = (sender: Sender, to: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Your password at ${sender.poolName} was changed`,
    lines: [`The password of your account at ${sender.poolName} was changed. Every other device was signed out.`],
    note: WRITE_TO_US,
  })

/** To the new address. */
export const confirmAddress = (sender: Sender, to: string, token: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Confirm your new address for ${sender.poolName}`,
    lines: [`This is to become the address of your account at ${sender.poolName}. Confirm it, and it is.`],
    button: { label: 'Confirm my new address', url: `${sender.publicUrl}/confirm#${token}` },
    note: `The link is good for one day, once. ${NOT_YOU}`,
  })

/** To a new address that has an account of its own. */
export const addressInUse = (sender: Sender, to: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Somebody wanted to use your address at ${sender.poolName}`,
    lines: [
      `A member of ${sender.poolName} tried to make this the address of their account. It belongs to yours, so nothing was changed.`,
      'If that was you with a second account, sign in with this address instead.',
    ],
    note: 'If this was not you, there is nothing to do.',
  })

/** To the address an account has until the new one is confirmed. */
export const addressWillChange = (sender: Sender, to: string, newAddress: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `The address of your account at ${sender.poolName} is to change`,
    lines: [
      `Your account at ${sender.poolName} is to have the address ${newAddress}. That happens when the link mailed there is opened; until then you sign in with this one.`,
    ],
    note: WRITE_TO_US,
  })

/** To the address an account had until now. */
export const addressChanged = (sender: Sender, to: string, newAddress: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `The address of your account at ${sender.poolName} was changed`,
    lines: [
      `The address of your account at ${sender.poolName} is ${newAddress} now: that is the one you sign in with. Every other device was signed out.`,
    ],
    note: 'If this was not you, write to the help desk at once.',
  })

export const twoStepSwitchedOn = (sender: Sender, to: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Two-step sign-in at ${sender.poolName} is on`,
    lines: [
      `Two-step sign-in was switched on for your account at ${sender.poolName}: signing in asks for a code of your app as well. Keep your recovery codes where you find them without your phone.`,
    ],
    note: WRITE_TO_US,
  })

export const wrongCodesEntered = (sender: Sender, to: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Wrong sign-in codes for your account at ${sender.poolName}`,
    lines: [
      `Someone entered several wrong two-factor codes for your account at ${sender.poolName}. They had to know your password to get that far, and they were not signed in.`,
      'If this was you, you can ignore this email. If not, change your password now.',
    ],
    button: { label: 'Change password', url: `${sender.publicUrl}/account/change-password` },
    note: WRITE_TO_US,
  })

export const twoStepSwitchedOff = (sender: Sender, to: string): Letter =>
  writeLetter(sender, {
    to,
    subject: `Two-step sign-in at ${sender.poolName} is off`,
    lines: [
      `Two-step sign-in was switched off for your account at ${sender.poolName}: the password alone signs you in.`,
    ],
    note: WRITE_TO_US,
  })
