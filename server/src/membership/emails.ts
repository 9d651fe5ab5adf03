import { type EmailContent, renderEmail, type Sender } from '../platform/email-template.ts'

/**
 * The emails about an account. Those to an unconfirmed address contain nothing a stranger entered, so that nobody can
 * send their own text through the pool.
 */

type Recipient = { email: string; dj_name: string }

/** The owner of an email, as stored in the outbox. */
export const customerReference = (customerId: number): string => `customer ${customerId}`
export const signUpReference = (signUpId: number): string => `sign_up ${signUpId}`

const NOT_YOU_TEXT = 'If you didn’t request this, you can ignore this email.'

const CONTACT_TEXT = 'If this wasn’t you, reset your password right away and contact support.'

export const confirmSignUpEmail = (sender: Sender, to: string, token: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Confirm your email address for ${sender.poolName}`,
    lines: [
      `Thanks for signing up to ${sender.poolName}. To activate your account, confirm your email address and enter the password you chose.`,
    ],
    button: { label: 'Confirm email address', url: `${sender.publicUrl}/confirm#${token}` },
    note: `This link can be used once and expires in seven days. ${NOT_YOU_TEXT}`,
  })

export const accountExistsEmail = (sender: Sender, to: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `You already have an account at ${sender.poolName}`,
    lines: [
      `Someone tried to sign up to ${sender.poolName} with this email address. You already have an account, so we didn’t create a new one.`,
      'If that was you, sign in. Forgot your password? Choose “Forgot password?” on the sign-in page.',
    ],
    button: { label: 'Sign in', url: `${sender.publicUrl}/?dialog=sign-in` },
    note: 'If this wasn’t you, you can ignore this email. Your account hasn’t changed.',
  })

export const applicationReceivedEmail = (sender: Sender, { email: to, dj_name }: Recipient): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `${sender.poolName}: we’ve received your DJ application`,
    lines: [
      `Hi ${dj_name},`,
      `Thanks for applying to ${sender.poolName}. We’ll review your application and email you our decision. You can sign in once it’s approved.`,
    ],
  })

/** Without a token, the button opens the sign-in. */
export const applicationApprovedEmail = (
  sender: Sender,
  { email: to, dj_name, token }: Recipient & { token?: string | undefined },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Welcome to ${sender.poolName}`,
    lines: [`Hi ${dj_name},`, 'Your DJ application has been approved. Sign in and start listening.'],
    button: { label: 'Sign in', url: `${sender.publicUrl}/${token ? `welcome#${token}` : '?dialog=sign-in'}` },
    ...(token && { note: 'This link signs you in once, within 24 hours. After that, sign in with your password.' }),
  })

export const applicationDeclinedEmail = (
  sender: Sender,
  { email: to, dj_name, reason }: Recipient & { reason: string },
): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your DJ application to ${sender.poolName}`,
    lines: [
      `Hi ${dj_name},`,
      `Thanks for applying to ${sender.poolName}. We’ve reviewed your application and can’t approve it. Reason:`,
      reason,
    ],
    note: 'If you think this is a mistake, contact support.',
  })

export const applicationReopenedEmail = (sender: Sender, { email: to, dj_name }: Recipient): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `${sender.poolName}: we’re reviewing your DJ application again`,
    lines: [
      `Hi ${dj_name},`,
      `We’re reviewing your DJ application to ${sender.poolName} again and will email you our decision. You can’t sign in until it’s approved.`,
    ],
  })

export const recoverPasswordEmail = (sender: Sender, to: string, token: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Reset your ${sender.poolName} password`,
    lines: [
      `Someone requested a password reset for your ${sender.poolName} account. If that was you, set a new password.`,
    ],
    button: {
      label: 'Set new password',
      url: `${sender.publicUrl}/reset-password#${encodeURIComponent(to)}/${token}`,
    },
    note: 'This link can be used once and expires in one hour. If you didn’t request this, you can ignore this email. Your password won’t change.',
  })

export const passwordChangedEmail = (sender: Sender, to: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your ${sender.poolName} password was changed`,
    lines: [
      `The password of your ${sender.poolName} account was changed. You’ve been signed out on all other devices.`,
    ],
    note: CONTACT_TEXT,
  })

/** Sent to the new address. */
export const confirmNewAddressEmail = (sender: Sender, to: string, token: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Confirm your new email address for ${sender.poolName}`,
    lines: [`Confirm this email address to use it for your ${sender.poolName} account.`],
    button: { label: 'Confirm new email address', url: `${sender.publicUrl}/confirm#${token}` },
    note: `This link can be used once and expires in one day. ${NOT_YOU_TEXT}`,
  })

/** Sent to a new address that already has an account. */
export const addressInUseEmail = (sender: Sender, to: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Someone tried to use your email address at ${sender.poolName}`,
    lines: [
      `A ${sender.poolName} member tried to change their email address to this one. It belongs to your account, so nothing was changed.`,
      'If that was you using a second account, sign in with this email address instead.',
    ],
    note: 'If this wasn’t you, you can ignore this email.',
  })

/** Sent to the current address of an account, until the new one is confirmed. */
export const addressChangeRequestedEmail = (sender: Sender, to: string, newAddress: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your ${sender.poolName} email address is about to change`,
    lines: [
      `Someone asked to change the email address of your ${sender.poolName} account to ${newAddress}. The email address changes when the link we sent to the new one is opened. Until then, keep signing in with this one.`,
    ],
    note: CONTACT_TEXT,
  })

/** Sent to the previous address of an account. */
export const addressChangedEmail = (sender: Sender, to: string, newAddress: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Your ${sender.poolName} email address was changed`,
    lines: [
      `The email address of your ${sender.poolName} account is now ${newAddress}. Use it to sign in. You’ve been signed out on all other devices.`,
    ],
    note: 'If this wasn’t you, contact support right away.',
  })

export const twoFactorEnabledEmail = (sender: Sender, to: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Two-factor authentication is on for ${sender.poolName}`,
    lines: [
      `Two-factor authentication was turned on for your ${sender.poolName} account. You’ll need a code from your authenticator app when you sign in. Keep your recovery codes somewhere you can reach without your phone.`,
    ],
    note: CONTACT_TEXT,
  })

export const wrongCodesEmail = (sender: Sender, to: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Failed sign-ins to your ${sender.poolName} account`,
    lines: [
      `Someone entered your ${sender.poolName} password and then several incorrect two-factor codes. They weren’t signed in.`,
      'If this was you, you can ignore this email. If not, change your password now and contact support.',
    ],
    button: { label: 'Change password', url: `${sender.publicUrl}/account/change-password` },
  })

export const twoFactorDisabledEmail = (sender: Sender, to: string): EmailContent =>
  renderEmail(sender, {
    to,
    subject: `Two-factor authentication is off for ${sender.poolName}`,
    lines: [
      `Two-factor authentication was turned off for your ${sender.poolName} account. You only need your password to sign in.`,
    ],
    note: CONTACT_TEXT,
  })
