import type { site } from '@dubplate/contract'

/** The texts that the demo's operator wrote, for a fictional pool. */

type Text = { title: string; markdown: string }

export const PAGES: Record<(typeof site.PAGES)[number], Text> = {
  terms: {
    title: 'Terms of use',
    markdown: `*This is a demo. These terms aren’t binding and no real payments are made.*

## Who can join

This pool is for people who play music for an audience: in clubs, on the radio, at weddings or on a stream. We review every
application. If we decline it, we’ll email you the reason and you can apply again.

Each account is for one person. If two of you perform under one name, you need two accounts.

## What you may do with the music

- Play it in your sets, in public and on air.
- Keep your downloads, even after your plan ends.
- Download each version twice, and once more if its tags are corrected later.

## What you may not do

- Share, sell or redistribute files.
- Share your account or download the catalogue automatically.
- Publish a complete song online in a way that replaces buying it.

We close accounts that violate these rules, without a refund.

## Plans

Plans renew automatically until you cancel under **Subscription** in your account. You keep access until the end of the paid
period. Trials have their own price and continue as a regular plan; we’ll email you before that.

## What you upload

Only upload music that you own or have permission to distribute. Songs expire after 90 days unless you renew them. Members who
downloaded a song keep it.

## Copyright claims

Contact us through the [contact page](/contact) with the song’s URL. We unpublish it the same day and get back to you.
`,
  },
  privacy: {
    title: 'Privacy',
    markdown: `*This demo runs on your own computer. Everything you enter stays there.*

## What we store and for how long

| Data | Purpose | Retention |
|---|---|---|
| Name, DJ name, email address | your account | until you delete your account |
| Your application | to check that you’re a working DJ | until you delete your account |
| Downloads and listens | your history, download limits, charts | until you delete your account, then anonymous |
| Payments and invoices | legal obligation | ten years |
| Tickets | to answer you | until you delete your account |
| Sessions | to show you where you’re signed in | until the session ends |
| Newsletter email address | to send the newsletter on Thursdays | until you unsubscribe |

## What we don’t store

Your password (only a hash), your card number (only the brand and last four digits) or which sites you visit next: all
scripts, images and fonts are hosted on this site.

## What you can do

Under [Your data](/account/data) you can download a copy of your data and permanently delete your account.
`,
  },
  contact: {
    title: 'Contact',
    markdown: `You get the fastest reply through the [help desk](/support/faqs). We answer within 24 hours, and usually within an hour
between 10:00 and 18:00 Berlin time.

## If you cannot sign in

Email **help@pool.example** from the email address of your account.

## Labels and artists

Want to add your music? Apply with a link to your releases and choose *Label* in the application. Questions? Email
**labels@pool.example**.

## Copyright claims

Email **rights@pool.example** with the song’s URL. We unpublish it the same day.

## By post

Dubplate Demo Pool\\
Kastanienallee 1\\
10435 Berlin\\
Germany
`,
  },
  careers: {
    title: 'Work with us',
    markdown: `We’re seven people above a record shop, plus nine working remotely. Half of us curate, a third build this site, and everyone
listens to the new arrivals on Monday mornings, loudly.

Tell us what you do, what you’d like to do here, and your ten favourite records. No cover letter, no photo. We reply to
everyone within two weeks.
`,
  },
}

export const OPENINGS = [
  {
    title: 'Curator, house and techno',
    place: 'Berlin, or wherever you play',
    hours: '12 hours a week',
    apply_at: 'jobs@pool.example',
    published: true,
    markdown: `You listen to label submissions, select what we publish, and correct tempo, key and genre where needed.

- You’ve played house and techno for several years and know what works on a dance floor.
- You can hear when a key tag is wrong.
- You can make people want to press play in two sentences.

`,
  },
  {
    title: 'Support agent, evenings',
    place: 'Remote',
    hours: 'Part-time, 18:00 to 23:00',
    apply_at: 'jobs@pool.example',
    published: true,
    markdown: `DJs contact us while they’re packing for a gig. You help when a download fails, a card is declined or a set starts in an hour.

- You write clearly and kindly in English and one more language.
- You’ve used a record pool yourself.

`,
  },
  {
    title: 'Audio engineer',
    place: 'Berlin',
    hours: 'Full time',
    apply_at: '',
    published: false,
    markdown: `We’ll start hiring in spring. You’ll work on audio analysis: tempo, key and finding the drop.

`,
  },
]

type DemoAnnouncement = {
  page_name: 'mp3_home' | 'mp3_chart' | 'mp3_latest'
  audience: 'all' | 'unpaid' | 'paid'
  message: string
  /** When it starts and ends, in hours from now. */
  from_hours: number
  until_hours?: number
}

export const ANNOUNCEMENTS: DemoAnnouncement[] = [
  {
    page_name: 'mp3_home',
    audience: 'unpaid',
    message:
      '<strong>Standard for 1.00 USD:</strong> your first month, with every song and every version. <a href="/subscription/plans">See plans</a>',
    from_hours: -20,
  },
  {
    page_name: 'mp3_latest',
    audience: 'paid',
    message: 'New: follow genres and get an email with new songs every Thursday. Open a genre page to follow it.',
    from_hours: -44,
  },
  {
    page_name: 'mp3_home',
    audience: 'all',
    message: 'Scheduled maintenance on Sunday, 02:00 to 02:20 UTC. Downloads will be unavailable.',
    from_hours: 48,
    until_hours: 96,
  },
  {
    page_name: 'mp3_home',
    audience: 'all',
    message: 'The summer pack is here: forty edits for open-air floors.',
    from_hours: -24 * 60,
    until_hours: -24 * 30,
  },
]
