import type { site } from '@dubplate/contract'

/** What the demo's operator has written: a pool that is nobody's. */

type Text = { title: string; markdown: string }

export const PAGES: Record<(typeof site.PAGES)[number], Text> = {
  terms: {
    title: 'Terms of use',
    markdown: `*This is a demo: nobody is bound by what stands here, and no money moves.*

## Who can join

This pool is for people who play music to others: in clubs, on the radio, at weddings, on a stream. Somebody reads every
application. If it is declined, the mail says why, and you may apply again.

One account is for one person. Two of you behind one name need two accounts.

## What you may do with the music

- Play it in your sets, in public and on air.
- Keep what you have downloaded, also after your plan has ended.
- Download each version twice. If its tags were corrected meanwhile, once more.

## What you may not do

- Pass files on, sell them, or put them where others can fetch them.
- Share your account, or fetch the catalogue by machine.
- Put a whole song online in a way that saves somebody buying it.

We close accounts that do this. What was paid is not paid back.

## Plans

A plan renews by itself until you cancel it under **Subscription** in your account. What is paid stays yours to its end.
A trial is charged at its own price and becomes the plan when it is over; a mail says so before.

## What you upload

Send only what is yours, or what its owner let you pass on. It stays for 90 days, and longer if you renew it. Whoever downloaded
it keeps it.

## If a recording is yours and should not be here

Tell us through the [contact page](/contact), with the song’s address. It is taken out the same day, and then we talk.
`,
  },
  privacy: {
    title: 'Privacy',
    markdown: `*This is a demo on a machine of yours: what you enter stays on it.*

## What we keep, and for how long

| What | Why | How long |
|---|---|---|
| Name, DJ name, mail address | your account | until you delete it |
| Your application | so that this stays a pool of working DJs | until you delete the account |
| Downloads and listens | your history, the limits, the charts | until you delete the account; then without your name |
| Payments and invoices | the tax office | ten years |
| Tickets | so that we know what was said | until you delete the account |
| Devices you are signed in on | so that you can sign out strangers | until the session ends |
| Your address for the newsletter | to send it on Thursdays | until you leave it |

## What we do not keep

Your password: only a hash of it. Your card: only its brand and last four digits. Where you go when you leave this
site: nothing here comes from anybody else’s server, neither scripts nor pictures nor fonts.

## What you can do

Under [Your data](/account/data) you get a copy of everything in files you can read, and delete the account, at once and
for good.
`,
  },
  contact: {
    title: 'Contact',
    markdown: `The quickest way is the [help desk](/support/faqs): somebody answers within a day, most often within an hour between ten
and six, Berlin time.

## If you cannot sign in

Write to **help@pool.example** from the address of your account.

## Labels and artists

Want your music here? Apply with a link to your releases, and choose *Label* in your application. **labels@pool.example**
answers what the form does not ask.

## Somebody put up what is yours

**rights@pool.example**, with the address of the song. It is taken out the same day.

## By post

Dubplate Demo Pool\\
Kastanienallee 1\\
10435 Berlin\\
Germany
`,
  },
  careers: {
    title: 'Work with us',
    markdown: `We are seven people in two rooms above a record shop, and nine more wherever they play. Half of us curate, a third build this
site, and everybody listens to the new arrivals on Monday mornings, loudly.

Write to us in your own words: what you do, what you would like to do here, and ten records you would not be without.
No cover letter, no photo. Everybody gets an answer within two weeks.
`,
  },
}

export const OPENINGS = [
  {
    title: 'Curator, house and techno',
    place: 'Berlin, or wherever you play',
    hours: 'Twelve hours a week',
    apply_at: 'jobs@pool.example',
    published: true,
    markdown: `You listen to what labels send, choose what goes in, and put tempo, key and genres right where they are not.

- You have played house and techno to people for some years, and know what clears a floor.
- You hear when a key tag is wrong.
- You write two sentences about a record that make somebody press play.
`,
  },
  {
    title: 'Help desk, evenings',
    place: 'Remote',
    hours: 'Part time, 18:00 to 23:00',
    apply_at: 'jobs@pool.example',
    published: true,
    markdown: `DJs write when they pack their bags. You are there then: a download that stopped, a card that was declined, a set that starts
in an hour.

- You write plainly and kindly, in English and one more language.
- You have used a record pool yourself.
`,
  },
  {
    title: 'Audio engineer',
    place: 'Berlin',
    hours: 'Full time',
    apply_at: '',
    published: false,
    markdown: `Not open yet: we begin to look in spring. You will teach a machine to hear what you hear: tempo, key, where the drop is.
`,
  },
]

type DemoAnnouncement = {
  page_name: 'mp3_home' | 'mp3_chart' | 'mp3_latest'
  audience: 'all' | 'unpaid' | 'paid'
  message: string
  /** From when and until when, in hours from now. */
  from_hours: number
  until_hours?: number
}

export const ANNOUNCEMENTS: DemoAnnouncement[] = [
  {
    page_name: 'mp3_home',
    audience: 'unpaid',
    message:
      '<strong>Standard for 1.00 USD:</strong> your first month, every song and every version. <a href="/subscription/plans">See the plans</a>',
    from_hours: -20,
  },
  {
    page_name: 'mp3_latest',
    audience: 'paid',
    message:
      'You can follow genres now: on Thursdays a mail tells you what is new in them. Choose on the page of a genre.',
    from_hours: -44,
  },
  {
    page_name: 'mp3_home',
    audience: 'all',
    message: 'On Sunday night, 02:00 to 02:20 UTC, the pool is being looked after. Downloads wait that long.',
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
