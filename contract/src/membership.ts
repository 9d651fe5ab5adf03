import * as z from 'zod/mini'
import { endpoint, nothing } from './endpoint.ts'

export const profile = z.object({
  customer_id: z.number(),
  email: z.string(),
  dj_name: z.string(),
  group_id: z.number(),
  payment_profile_status: z.enum(['paid', 'unpaid']),
  profile_picture: z.nullable(z.string()),
  staff_role: z.nullable(z.enum(['support', 'curator', 'billing', 'admin'])),
  /** Opens full-length previews for this member; short-lived, renewed by every get-profile. */
  media_key: z.string(),
})
export type Profile = z.output<typeof profile>

export const signIn = endpoint({
  path: 'customer/sign-in.json',
  access: 'public',
  summary: 'Signs a member in.',
  input: z.object({
    email: z
      .string()
      .check(z.trim(), z.maxLength(320, 'Invalid Email'), z.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Invalid Email')),
    password: z
      .string('Password is required field *')
      .check(z.minLength(1, 'Password is required field *'), z.maxLength(1024, 'This password is too long.')),
  }),
  reply: z.object({ token: z.string(), profile }),
  refusals: [
    'invalid_credentials',
    'dj_application_missing',
    'dj_application_pending',
    'dj_application_declined',
    'account_suspended',
  ],
})

export const signOut = endpoint({
  path: 'customer/sign-out.json',
  access: 'customer',
  summary: 'Ends this session; its token stops working at once.',
  input: nothing,
  reply: nothing,
})

export const getProfile = endpoint({
  path: 'customer/get-profile.json',
  access: 'customer',
  summary: 'Who is signed in.',
  input: nothing,
  reply: z.object({ profile }),
})
