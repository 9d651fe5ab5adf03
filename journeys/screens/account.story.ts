import { billing } from '@dubplate/contract'
import { callApi, dialog, expect, getFirst } from '../support.ts'
import { checkScreens, load, visit } from './check.ts'

checkScreens([
  {
    name: 'sign-in dialog',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/recentPlayed?dialog=sign-in')
      await expect(dialog(page, 'Sign In').getByRole('button', { name: 'staff@demo.test' })).toBeVisible()
    },
  },
  {
    name: 'create account dialog',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/recentPlayed?dialog=create-account')
      const account = dialog(page, 'Create An Account')
      await account.getByLabel('Password', { exact: true }).fill('password123')
      await account.getByRole('button', { name: 'Create account' }).click()
      await expect(account.getByText('This is a commonly used password.')).toBeVisible()
    },
  },
  {
    name: 'password recovery dialog',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/recentPlayed?dialog=recover')
      await dialog(page, 'Recover Password').getByRole('button', { name: 'Send link' }).click()
      await expect(dialog(page, 'Recover Password').getByText('Invalid Email')).toBeVisible()
    },
  },
  {
    name: 'email confirmation dialog',
    isForVisitors: true,
    open: async (page) => {
      const passwordRequiredReply = { code: 'password_required', message: '', data: { email: 'a.visitor@demo.test' } }
      await page.route('**/api/customer/confirm-address.json*', (route) =>
        route.fulfill({ status: 422, json: passwordRequiredReply }),
      )
      await visit(page, '/confirm/a-link')
      const confirmation = dialog(page, 'Confirm your email')
      await confirmation.getByRole('button', { name: 'Confirm email', exact: true }).click()
      await expect(confirmation.getByText('password cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'password reset dialog',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/reset-password/nobody@demo.test/no-such-link')
      await dialog(page, 'Reset Password').getByRole('button', { name: 'Set password' }).click()
      await expect(dialog(page, 'Reset Password').getByText('confirm password cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'profile',
    open: async (page) => {
      await visit(page, '/account/update')
      const profile = page.getByRole('form', { name: 'Profile' })
      await profile.getByLabel('First name').fill('')
      await profile.getByLabel('Email').fill('another@demo.test')
      await profile.getByRole('button', { name: 'Save' }).click()
      await expect(profile.getByText('First Name cannot be blank!')).toBeVisible()
      await expect(profile.getByText('password cannot be blank!')).toBeVisible()
      await page.getByRole('combobox', { name: 'Country' }).click()
      await expect(page.getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'change password',
    open: async (page) => {
      await visit(page, '/account/change-password')
      const change = page.getByRole('form', { name: 'Change password' })
      await change.getByRole('button', { name: 'Change password' }).click()
      await expect(change.getByText('current password cannot be blank!', { exact: true })).toBeVisible()
    },
  },
  {
    name: 'sign-in and security',
    open: async (page) => {
      await visit(page, '/account/security')
      await expect(page.getByText('This device')).toBeVisible()
      await page.getByRole('button', { name: 'Turn on' }).click()
      await expect(page.getByLabel('Current password', { exact: true })).toBeFocused()
    },
  },
  {
    name: 'display settings',
    open: async (page) => {
      await visit(page, '/account/display')
      await expect(page.getByRole('radio', { name: 'Camelot' })).toBeVisible()
    },
  },
  {
    name: 'download profile',
    open: async (page) => {
      await visit(page, '/account/download-profiles?profile=new')
      await expect(page.getByRole('heading', { name: 'Preview' })).toBeVisible()
    },
  },
  {
    name: 'data and account deletion',
    open: async (page) => {
      await visit(page, '/account/data')
      await page.getByRole('button', { name: 'Download my data' }).click()
      await page.getByRole('button', { name: 'Delete account' }).click()
      await expect(page.getByRole('form', { name: 'Delete account' })).toBeVisible()
    },
  },
  {
    name: 'plans',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/subscription/plans')
      await expect(page.getByRole('heading', { name: 'Downloads need a paid plan' })).toBeVisible()
    },
  },
  {
    name: 'card payment',
    open: async (page) => {
      const { plans } = await callApi(billing.getPlans, {})
      await visit(page, `/subscription/choose-payment/${getFirst(plans).id}`)
      await page.getByRole('radio', { name: 'Credit Card' }).check()
      await page.getByRole('textbox', { name: 'Promotion code' }).fill('nosuch')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('This coupon doesn’t exist. Check the code and try again.')).toBeVisible()
      await page.getByRole('textbox', { name: 'Promotion code' }).fill('')
      await page.getByRole('button', { name: /^Pay / }).click()
      await expect(page.getByText('Card Number cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'failed payment',
    open: async (page) => {
      await visit(page, '/subscription/failed')
      await expect(page.getByRole('heading', { name: 'Payment failed' })).toBeVisible()
    },
  },
  {
    name: 'subscription',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/account/manage-subscription')
      await expect(page.getByRole('button', { name: 'Upgrade Plan' })).toBeVisible()
    },
  },
  {
    name: 'change plan dialog',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/account/manage-subscription')
      await page.getByRole('button', { name: 'Upgrade Plan' }).click()
      await page.getByRole('dialog').getByRole('radio', { name: 'Premium' }).check()
      await expect(page.getByRole('dialog').getByText(/ due now for the rest of this period, then /)).toBeVisible()
    },
  },
  {
    name: 'billing history',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/account/billing')
      await expect(page.getByRole('table', { name: 'Billing history' }).getByTestId('billing')).toBeVisible()
    },
  },
  {
    name: 'Download Rescue',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/download-rescue')
      await expect(page.getByTestId('rescue-row').first()).toBeVisible()
    },
  },
  {
    name: 'uploads',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/uploads/index')
      await expect(page.getByRole('group', { name: 'Status' }).getByRole('button', { name: /^All \d/ })).toBeVisible()
    },
  },
  {
    name: 'add song',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/uploads/new')
      await page.getByRole('button', { name: 'Add version' }).click()
      await page.getByRole('combobox', { name: 'Version' }).selectOption({ label: 'Custom name…' })
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Song title cannot be blank!')).toBeVisible()
      await expect(page.getByText('Please select genre!')).toBeVisible()
    },
  },
  {
    name: 'select song dialog',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/uploads/new')
      await page.getByRole('button', { name: 'Add version' }).click()
      await page.getByRole('button', { name: /^Select Song/ }).click()
      await expect(dialog(page, 'Select Song').getByRole('button', { name: 'Select file', exact: true })).toBeVisible()
    },
  },
  {
    name: 'help desk',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/support/faqs')
      await page.getByText('What do Clean, Dirty and Intro mean?').click()
      const form = page.getByRole('form', { name: 'Submit a ticket' })
      await form.getByRole('button', { name: 'Submit ticket' }).click()
      await expect(form.getByText('Subject cannot be blank!')).toBeVisible()
      await expect(form.getByRole('textbox', { name: 'Description' })).toBeVisible()
    },
  },
  {
    name: 'help desk as a visitor',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/support/faqs?find=download')
      await expect(page.getByText('My download was interrupted. Did I lose it?')).toBeVisible()
    },
  },
  {
    name: 'tickets',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/tickets/all')
      await expect(page.getByRole('link', { name: 'Change of address on my invoices' })).toBeVisible()
    },
  },
  {
    name: 'ticket',
    who: 'label@demo.test',
    open: async (page) => {
      await visit(page, '/tickets/open')
      await page.getByRole('link', { name: 'When will our release be reviewed?' }).click()
      await page.getByRole('button', { name: 'Send reply' }).click()
      await expect(page.getByText('Message cannot be blank!')).toBeVisible()
    },
  },
  {
    name: 'notifications',
    who: 'label@demo.test',
    open: async (page) => {
      await visit(page, '/notices')
      await page.getByRole('button', { name: /^Notifications/ }).click()
      await expect(
        page
          .getByRole('dialog', { name: 'Notifications' })
          .getByText(/^No notifications yet|^See all notifications$/)
          .first(),
      ).toBeVisible()
    },
  },
  {
    name: 'email notification settings',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/account/notices')
      await expect(page.getByRole('switch').first()).toBeVisible()
    },
  },
  {
    name: 'saved searches',
    who: 'dj@demo.test',
    open: async (page) => {
      await visit(page, '/searches')
      await expect(page.getByRole('heading', { level: 1, name: 'Saved searches' })).toBeVisible()
    },
  },
  {
    name: 'careers',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/career/listing')
      await expect(page.getByRole('link', { name: /^Apply/ }).first()).toBeVisible()
    },
  },
  {
    name: 'kits for DJ software',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/dj-software')
      await expect(page.getByRole('table')).toBeVisible()
    },
  },
  {
    name: 'guide of Serato',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/dj-software/serato')
      await expect(page.getByRole('heading', { name: 'Import the kit' })).toBeVisible()
    },
  },
  {
    name: 'contact',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/contact')
      await expect(page.getByRole('heading', { name: 'By post' })).toBeVisible()
    },
  },
  {
    name: '404 page',
    isForVisitors: true,
    open: async (page) => {
      await visit(page, '/no/such/page')
      await expect(page.getByRole('heading', { name: 'This page doesn’t exist' })).toBeVisible()
    },
  },
  {
    name: 'DJ application dialog',
    isForVisitors: true,
    open: async (page) => {
      // The form opens with any applicant token, which the page reads when it loads.
      await page.evaluate(() => sessionStorage.setItem('dubplate.applicant', '{"token":"a token"}'))
      await load(page, '/recentPlayed?dialog=apply')
      const application = dialog(page, 'Are you a DJ?')
      await application.getByRole('radio', { name: 'Social link' }).check()
      await application.getByRole('button', { name: 'Submit application' }).click()
      await expect(application.getByText('Reference Detail cannot be blank!')).toBeVisible()
    },
  },
])
