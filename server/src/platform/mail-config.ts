import * as z from 'zod/mini'
import type { DefaultSettings } from './settings.ts'

/** `Name <address>`, or the address alone. */
const MAIL_FROM = /^(?:"?([^"<>]*?)"?\s*<([^\s@<>]+@[^\s@<>]+)>|([^\s@<>]+@[^\s@<>]+))$/

/** Environment settings for outgoing email. */
export const mailEnvironment = {
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, hostname: /./ })),
  MAIL_FROM: z.optional(z.string().check(z.regex(MAIL_FROM))),
}

export const MAIL_EXPECTED_VALUES = {
  SMTP_URL: 'an SMTP URL, such as smtps://user:password@mail.example',
  MAIL_FROM: 'a sender name and email address, such as Night Shift <pool@pool.example>',
}

/** Splits a sender that MAIL_FROM accepts into name and address; the name is '' if there is none. */
export function readSender(text: string): DefaultSettings['mailFrom'] {
  const [, name, address, bare] = MAIL_FROM.exec(text) ?? []
  return { name: name?.trim() ?? '', address: address ?? bare ?? text }
}
