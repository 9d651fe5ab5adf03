import type { site } from '@dubplate/contract'

type PageTemplate = { title: string; markdown: string }

/**
 * Templates for pages that were never written, with [brackets] around what only the operator knows. They are not public
 * until staff save them.
 */
export const PAGE_TEMPLATES: Record<(typeof site.PAGES)[number], PageTemplate> = {
  terms: {
    title: 'Terms of use',
    markdown: `*Effective [date]. Fill in the brackets, remove what doesn’t apply and have a lawyer in your country review it.*

## Who we are

[Pool name] is a record pool for working DJs, operated by [company or person], [street, postcode, city, country]. Contact
us at [email address].

## Who can join

You must be at least [18] years old and play music for an audience: in clubs, on the radio, at events or on a stream. We
review every application and may decline it, giving a reason. Each account is for one person. Don’t share your password.

## What you may do with the music

- Play it in your sets, in public and on air. Performing rights are paid by the venue or broadcaster.
- Keep your downloads for as long as you work as a DJ, even after your plan ends.
- Download each version up to [two] times.

## What you may not do

- Share, sell or redistribute files, make them available on a server, or share your account.
- Publish complete songs online, or recordings meant to replace the song.
- Download the catalogue automatically.

We close accounts that violate these rules, without a refund.

## Plans and payments

Prices include [VAT]. Plans renew automatically every [month] until you cancel. You can cancel at any time in your account
and keep access until the end of the paid period. [Right of withdrawal: what applies in your country, and that it ends with
the first download if the member agrees.]

## What you upload

Only upload music that you own or have the rights to distribute, and name the rights holder. You allow us to offer it to our
members free of charge until it expires [90 days after upload]. If someone claims the rights to a recording, we unpublish it
and contact you.

## If something is wrong

If music is missing, late or incorrectly labelled, tell us and we’ll fix it. Our liability is unlimited for intent and gross
negligence, and otherwise limited [as far as your law allows].

## Changes

We’ll email you [30 days] before these terms change. If you don’t agree, you can cancel before that date.

## Law

[Law of your country] applies. [Court, arbitration or dispute resolution body, if required.]
`,
  },
  privacy: {
    title: 'Privacy',
    markdown: `*Effective [date]. Fill in the brackets and check that the rest matches what you do.*

## Data controller

[Company or person], [address], [email address]. [Data protection officer, if you have one.]

## What we store and why

| Data | Purpose | Retention |
|---|---|---|
| Name, DJ name, email address, postal address, telephone | your account and your invoices | until you delete your account |
| Your application | to check that you’re a working DJ | until you delete your account |
| Downloads and listens | your history, download limits, charts | until you delete your account, then anonymous |
| Payments and invoices | legal obligation | [10] years |
| Help desk tickets | to answer you | [2] years after the ticket is closed |
| Sessions: time, device, IP address | to show you where you’re signed in | until the session ends |
| Newsletter email address | to send the newsletter | until you unsubscribe |

Passwords are stored as hashes. Card numbers never reach our servers; they’re processed by [payment providers].

## What we do not do

No advertising, no profiling, no third-party trackers. All images and scripts are hosted on this site.

## Who we share data with

- [Hosting company, country]: operates the servers.
- [Payment providers]: process payments.
- [Email provider]: delivers our emails.

[Legal basis for transfers outside your country or the EU, if any.]

## In your browser

Your sign-in and settings are stored in your browser. We don’t use cookies for anything else.

## Your rights

Under **Your data** in your account, you can download a copy of your data and delete your account. You also have the right to
access, rectification, erasure and restriction, and to complain to [your supervisory authority].
`,
  },
  contact: {
    title: 'Contact',
    markdown: `Members get the fastest reply through **Help desk** in the menu. We answer within [one working day].

## By email

- General enquiries: [email address]
- Labels and artists: [email address]
- Copyright claims: [email address]. Include the song’s URL and proof of ownership.

## By post

[Company or person]\\
[Street]\\
[Postcode, city, country]

[Legal notices required in your country: company register, tax ID, person responsible for the content.]
`,
  },
  careers: {
    title: 'Work with us',
    markdown: `[Pool name] is built by [number] people who [play, produce or collect music]. We work [in a city, or remotely].

## How we hire

Tell us what you do, what you’d like to do here, and send a mix or a list of your ten favourite records. No cover letter, no
photo. We reply to everyone within [two weeks].

See our open positions below. Nothing that fits? Get in touch anyway.
`,
  },
}
