import type { site } from '@dubplate/contract'

type Beginning = { title: string; markdown: string }

/**
 * What staff find where a page was never written: something to work from, with [brackets] around what nobody but the
 * operator knows. Nothing of it is shown to anybody before it is saved.
 */
export const BEGINNINGS: Record<(typeof site.PAGES)[number], Beginning> = {
  terms: {
    title: 'Terms of use',
    markdown: `*In force since [date]. Fill in what stands in brackets, take out what does not fit, and let somebody who knows
your country’s law read it.*

## Who we are

[Name of the pool] is a record pool for working DJs, run by [name of the company or person], [street, postcode, city,
country]. You reach us at [mail address].

## Who can join

You are at least [18] years old and play music for others: in clubs, on the radio, at events or on a stream. We read every
application and may decline one; we say why. One account is for one person. Keep your password to yourself.

## What you may do with the music

- Play it in your sets, in public and on air. Performing rights are paid by the venue or the broadcaster, as everywhere.
- Keep what you downloaded for as long as you work as a DJ, also after your plan ends.
- Each version can be downloaded [two] times.

## What you may not do

- Pass files on, sell them, put them on a server others reach, or share your account.
- Put whole songs online by themselves, or mix recordings whose purpose is to replace the song.
- Fetch the catalogue by machine.

We end accounts that do, without money back.

## Plans and payments

Prices include [VAT]. A plan renews by itself for another [month] until you cancel it, which you can do at any time in
your account; it then runs to the end of what is paid. [Your right of withdrawal: what applies in your country, and that it
ends with the first download if the member agrees to that.]

## What you upload

Upload only what is yours or what you have the right to pass on, and say whose it is. You let us offer it to the members
of this pool, without a fee, until it leaves the pool [90 days after it came]. If somebody tells us that a recording is
theirs, we take it out and ask you.

## If something is wrong

Music can be missing, late or labelled wrongly; tell us and we mend it. We are liable without limit for intent and gross
negligence, and otherwise [as far as your law allows it to be limited].

## Changes

We tell you by mail [30 days] before these terms change. If you do not agree, cancel before that day.

## Law

[Law of your country] applies. [Court, arbitration or dispute body, where you have to name one.]
`,
  },
  privacy: {
    title: 'Privacy',
    markdown: `*In force since [date]. Fill in what stands in brackets and check the rest against what you do.*

## Who is responsible

[Name of the company or person], [address], [mail address]. [Data protection officer, if you have one.]

## What we keep, and why

| What | Why | How long |
|---|---|---|
| Name, DJ name, mail address, address, telephone | your account and, if you pay, your invoices | as long as you have an account |
| Your application | so that the pool is one of working DJs | as long as you have an account |
| What you downloaded and heard | to show it to you, to keep to the limits, for the charts | as long as you have an account; then without your name |
| Payments and invoices | the law | [10] years |
| What you write to the help desk | to answer it | [2] years after it is closed |
| Sign-ins: time, device, network address | so that you see who is in your account | until the session ends |
| Your address for the newsletter | to send it | until you leave it |

Passwords are kept as hashes. Card numbers never reach us: [payment providers] take them.

## What we do not do

No advertising, no profiles, no trackers of others. Pictures and scripts come from this site itself.

## Who else gets something

- [Hosting company, country]: runs the servers.
- [Payment providers]: what they need to take your money.
- [Mail provider]: delivers our mail.

[If any of them is outside your country or the EU: on what basis.]

## In your browser

Your sign-in and your settings are kept in your browser’s own storage. We set no cookies for anything else.

## Your rights

Under **Your data** in your account you get a copy of everything and delete the account yourself. You may also ask us for
information, correction, deletion and restriction, and complain to [your supervisory authority].
`,
  },
  contact: {
    title: 'Contact',
    markdown: `Members reach us quickest through **Help desk** in the menu: somebody answers within [a working day].

## By mail

- Everything about the pool: [mail address]
- Labels and artists who want their music here: [mail address]
- Somebody put up what is yours: [mail address], with the song’s address and how we know that it is yours

## By post

[Name of the company or person]\\
[Street]\\
[Postcode, city, country]

[What the law of your country wants here: register, tax number, who is responsible for the content.]
`,
  },
  careers: {
    title: 'Work with us',
    markdown: `[Name of the pool] is made by [how many] people who [play, produce or collect music themselves]. We work [in a city, or
wherever there is a network].

## How we hire

Write to us in your own words: what you do, what you would like to do here, and a mix or a list of ten records you would
not be without. No cover letter, no photo. We answer everybody within [two weeks].

What is open stands below. If nothing fits, write all the same.
`,
  },
}
