type DemoReply = { by: 'customer' | 'staff'; hours_ago: number; text: string }
export type DemoTicket = {
  /** The demo's DJ, its label, or the index of a background member. */
  from: 'dj' | 'label' | number
  department: string
  priority: string
  subject: string
  hours_ago: number
  details: string
  closed?: true
  replies: DemoReply[]
}

const DAY = 24

/** Tickets of the demo: some are closed, some have a reply, and some wait for one. */
export const TICKETS: readonly DemoTicket[] = [
  {
    from: 'dj',
    department: 'Downloads and player',
    priority: 'High',
    subject: 'Two tracks missing from my crate zip',
    hours_ago: 5,
    details:
      '<p>I downloaded my crate for Friday but only got <b>38 of 40</b> tracks. The two acapellas are missing.</p><p>My set starts at ten.</p>',
    replies: [
      {
        by: 'staff',
        hours_ago: 3,
        text: '<p>You had already used both downloads of these two, so they were skipped; see the list in the zip. I’ve added one more download for each.</p>',
      },
    ],
  },
  {
    from: 'dj',
    department: 'Payments and plans',
    priority: 'Normal',
    subject: 'Change of address on my invoices',
    hours_ago: 24 * 9,
    details: '<p>We’ve moved to Rotterdam. Where can I change the address on my invoices?</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 24 * 9 - 4,
        text: '<p>Under <a href="/account/update">Edit Profile</a>. The new address will be on your next invoice.</p>',
      },
      { by: 'customer', hours_ago: 24 * 8, text: '<p>Found it, thanks!</p>' },
    ],
  },
  {
    from: 'dj',
    department: 'Other',
    priority: 'Low',
    subject: 'Feature request: Open Key in file names',
    hours_ago: 24 * 2,
    details:
      '<p>Could you put the key before the artist in <i>my</i> notation? Then I could sort my USB sticks by key.</p>',
    replies: [],
  },
  {
    from: 'label',
    department: 'Uploads',
    priority: 'Normal',
    subject: 'When will our release be reviewed?',
    hours_ago: 27,
    details: '<p>We uploaded two songs yesterday and the release is on Friday. Is anything missing?</p>',
    replies: [],
  },
  {
    from: 0,
    department: 'Downloads and player',
    priority: 'Normal',
    subject: 'How do I see what I already have?',
    hours_ago: 250 * DAY,
    details: '<p>I’d like to avoid downloading the same song twice. Is there a list?</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 250 * DAY - 3,
        text: '<p>Yes: <a href="/download-rescue">Download Rescue</a> lists everything. Songs you have are also marked in every list.</p>',
      },
    ],
  },
  {
    from: 3,
    department: 'Payments and plans',
    priority: 'Low',
    subject: 'Invoice with my company’s name',
    hours_ago: 214 * DAY,
    details: '<p>My accountant needs the name of my company on the invoice.</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 214 * DAY - 20,
        text: '<p>Enter it under <a href="/account/update">Edit Profile</a>. It will be on your next invoice.</p>',
      },
      { by: 'customer', hours_ago: 213 * DAY, text: '<p>Done, thank you.</p>' },
    ],
  },
  {
    from: 7,
    department: 'Downloads and player',
    priority: 'Normal',
    subject: 'A drum & bass song is tagged with half its tempo',
    hours_ago: 168 * DAY,
    details: '<p>It says 87 BPM, but it is 174. My software then loops it wrongly.</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 168 * DAY - 6,
        text: '<p>Well spotted. It is corrected, and you get one extra download of it with the new tags.</p>',
      },
    ],
  },
  {
    from: 12,
    department: 'Downloads and player',
    priority: 'High',
    subject: 'Downloads were very slow all weekend',
    hours_ago: 126 * DAY,
    details: '<p>I got 200 kB/s at best from Friday to Sunday and couldn’t prepare my set.</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 126 * DAY - 5,
        text: '<p>One of our disks was failing; it has been replaced. We’ll refund $5.00 of your next payment. Sorry for the weekend.</p>',
      },
    ],
  },
  {
    from: 18,
    department: 'My account',
    priority: 'Low',
    subject: 'Can my DJ partner use my account?',
    hours_ago: 96 * DAY,
    details: '<p>We always play together. Can we share one account?</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 96 * DAY - 26,
        text: '<p>An account is for one person, because the download limits are too. Your partner can apply and name you as reference.</p>',
      },
    ],
  },
  {
    from: 30,
    department: 'Payments and plans',
    priority: 'Normal',
    subject: 'Please end my subscription',
    hours_ago: 43 * DAY,
    details: '<p>I’ve stopped DJing and forgot to cancel before the renewal.</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 39 * DAY,
        text: '<p>It has ended, and the last payment has been refunded. You’re always welcome back.</p>',
      },
    ],
  },
  {
    from: 21,
    department: 'My account',
    priority: 'Normal',
    subject: 'The email to reset my password never arrived',
    hours_ago: 33 * DAY,
    details: '<p>I tried twice today, also looked in the spam folder.</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 33 * DAY - 2,
        text: '<p>Your provider delays our emails by about an hour. Please use the link in the latest one.</p>',
      },
      { by: 'customer', hours_ago: 33 * DAY - 3, text: '<p>It has just arrived. All good!</p>' },
    ],
  },
  {
    from: 35,
    department: 'Payments and plans',
    priority: 'Low',
    subject: 'Broken arm: can I pause this month?',
    hours_ago: 7 * DAY,
    details: '<p>I can’t play until the end of the month. Is there a way to pause?</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 5 * DAY,
        text: '<p>There is no pause, but we’ve refunded half of this month. Get well soon!</p>',
      },
      { by: 'customer', hours_ago: 5 * DAY - 4, text: '<p>That’s very kind. Thank you!</p>' },
    ],
  },
  {
    from: 51,
    department: 'Downloads and player',
    priority: 'Low',
    subject: 'Which files do older players read?',
    hours_ago: 3 * DAY,
    details: '<p>The club has players from 2009. Will they read your FLAC files?</p>',
    replies: [
      {
        by: 'staff',
        hours_ago: 2 * DAY,
        text: '<p>Most likely not: use MP3, WAV or AIFF there. Which model is it exactly?</p>',
      },
    ],
  },
  {
    from: 44,
    department: 'Payments and plans',
    priority: 'Normal',
    subject: 'My bank has replaced my card',
    hours_ago: 17,
    details: '<p>The payment failed this morning. Where do I enter the new card?</p>',
    replies: [
      {
        by: 'staff',
        hours_ago: 14,
        text: '<p>Under <a href="/account/manage-subscription">Subscription</a>. We try the payment again as soon as it is saved.</p>',
      },
    ],
  },
  {
    from: 2,
    department: 'Downloads and player',
    priority: 'High',
    subject: 'My crate’s zip stops at 2 GB',
    hours_ago: 4,
    details: '<p>It stops at the same point every time. There are 96 songs in it, most of them WAV.</p>',
    replies: [],
  },
  {
    from: 57,
    department: 'Payments and plans',
    priority: 'Normal',
    subject: 'Do I keep the top 20s after my first month?',
    hours_ago: 1.5,
    details: '<p>My first month of Premium ends next week. Does anything change besides the price?</p>',
    replies: [],
  },
]
