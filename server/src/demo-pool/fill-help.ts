import { notify } from '../notices/notices.ts'
import type { Sql } from '../platform/db.ts'

/** What is asked often at the demo's pool. Answers are HTML, as the editor of staff writes it. */
const FAQS: { question: string; answer: string }[] = [
  {
    question: 'How often can I download a song?',
    answer:
      '<p>Each version twice. A third time counts only after the tags of the song were corrected: then one download of each version is free.</p>',
  },
  {
    question: 'A download stopped half-way. Is it lost?',
    answer:
      '<p>No. Start it again within the hour: it goes on where it stopped and does not count twice. Everything you have downloaded is in <a href="/download-rescue">Download Rescue</a>.</p>',
  },
  {
    question: 'Which file formats do I get?',
    answer:
      '<p>The format its label sent: MP3 at 320 kbit/s, or WAV, FLAC and AIFF. Tempo, key and artwork are written into the tags.</p>',
  },
  {
    question: 'What do Clean, Dirty and Intro mean?',
    answer:
      '<ul><li><b>Clean</b>: safe for radio and daytime floors.</li><li><b>Dirty</b>: as it was recorded.</li><li><b>Intro</b>: sixteen or more bars of beats to mix in.</li></ul>',
  },
  {
    question: 'How do I change my key notation to Camelot or Open Key?',
    answer: '<p>Under <a href="/account/display">Display</a> in your account. It changes every list at once.</p>',
  },
  {
    question: 'Can I cancel at any time?',
    answer:
      '<p>Yes, under <a href="/account/manage-subscription">Subscription</a>. What is paid stays yours until its end, and nothing more is charged.</p>',
  },
  {
    question: 'Why was my DJ application declined?',
    answer:
      '<p>The mail says why. Most often a link to your mixes or your next date was missing. <a href="/contact">Write to us</a> if you think we got it wrong.</p>',
  },
  {
    question: 'How do I get my own music into the pool?',
    answer:
      '<p>Send it under <a href="/uploads/index">Uploads</a>. It is measured at once, looked at by a person, and in the pool for ninety days; you can renew it as often as you like.</p>',
  },
]

/** What its staff answer often. */
const SAVED_ANSWERS: { title: string; answer: string; used: number }[] = [
  {
    title: 'A download that broke off',
    answer:
      '<p>Hello {dj_name},</p><p>nothing is lost: everything you have downloaded is in <a href="/download-rescue">Download Rescue</a>, and fetching it again does not count.</p><p>{staff_name}, {pool_name}</p>',
    used: 14,
  },
  {
    title: 'When an upload is looked at',
    answer:
      '<p>Hello {dj_name},</p><p>we look at what comes in within two working days, Fridays first. You will have a mail either way.</p><p>{staff_name}, {pool_name}</p>',
    used: 6,
  },
]

type Written = { by: 'customer' | 'staff'; hours_ago: number; text: string }
type DemoTicket = {
  department: string
  priority: string
  subject: string
  hours_ago: number
  details: string
  closed?: true
  replies: Written[]
}

const TICKETS: DemoTicket[] = [
  {
    department: 'Downloads and player',
    priority: 'High',
    subject: 'The zip of my crate is missing two tracks',
    hours_ago: 5,
    details:
      '<p>I fetched my crate for Friday: <b>38 of 40</b> tracks came. The two acapellas are not in it.</p><p>I play at ten.</p>',
    replies: [
      {
        by: 'staff',
        hours_ago: 3,
        text: '<p>Both reached their limit of two downloads, so they were left out; the list in the zip says so. I have given you one more of each.</p>',
      },
    ],
  },
  {
    department: 'Payments and plans',
    priority: 'Normal',
    subject: 'An invoice with my new address',
    hours_ago: 24 * 9,
    details: '<p>We moved to Rotterdam. Where do I change the address on the invoices?</p>',
    closed: true,
    replies: [
      {
        by: 'staff',
        hours_ago: 24 * 9 - 4,
        text: '<p>Under <a href="/account/update">Edit Profile</a>. From the next invoice on it is there.</p>',
      },
      { by: 'customer', hours_ago: 24 * 8, text: '<p>Found it. Thank you!</p>' },
    ],
  },
  {
    department: 'Something else',
    priority: 'Low',
    subject: 'A wish: Open Key in the file names',
    hours_ago: 24 * 2,
    details:
      '<p>Could the key stand in front of the artist, in <i>my</i> notation? Then my USB sticks sort by key.</p>',
    replies: [],
  },
]

/** Of the demo's label: what waits for staff beside the DJ's. */
const OF_LABEL: DemoTicket = {
  department: 'Uploads',
  priority: 'Normal',
  subject: 'When is our release looked at?',
  hours_ago: 27,
  details: '<p>We sent two songs yesterday and the release is on Friday. Is there anything missing?</p>',
  replies: [],
}

type Members = { dj: number; label: number; staff: number }

/** The demo's questions and tickets: one that was answered and not read, one that is closed, and some that wait. */
export async function fillHelp(sql: Sql, { dj, label, staff }: Members, now: Date): Promise<void> {
  await sql`insert into faq ${sql(FAQS.map((faq, n) => ({ ...faq, position: n + 1 })))}`
  await sql`insert into saved_answer ${sql(SAVED_ANSWERS)}`
  for (const ticket of TICKETS) await addTicket(sql, { customer_id: dj, staff_id: staff, now }, ticket)
  await addTicket(sql, { customer_id: label, staff_id: staff, now }, OF_LABEL)
}

type Around = { customer_id: number; staff_id: number; now: Date }

async function addTicket(sql: Sql, { customer_id, staff_id, now }: Around, ticket: DemoTicket): Promise<void> {
  const at = (hoursAgo: number) => new Date(now.getTime() - hoursAgo * 3_600_000)
  const last = ticket.replies.at(-1)
  const changed = at(last?.hours_ago ?? ticket.hours_ago)
  const [added] = await sql<{ ticket_number: number }[]>`
    insert into ticket (customer_id, department_id, priority_id, subject, details, status, waits_for, waits_since, assigned_to,
      created_at, modified_at, closed_at)
    select ${customer_id}, department_id, priority_id, ${ticket.subject}, ${ticket.details},
      ${ticket.closed ? 'close' : 'open'}, ${last?.by === 'staff' ? 'customer' : 'staff'}, ${changed},
      ${last ? staff_id : null}, ${at(ticket.hours_ago)}, ${changed}, ${ticket.closed ? changed : null}
    from department d, priority p where d.name = ${ticket.department} and p.name = ${ticket.priority}
    returning ticket_number`
  if (!added) throw new Error(`There is no department ${ticket.department} or no priority ${ticket.priority}.`)
  const { ticket_number } = added
  for (const { by, hours_ago, text } of ticket.replies) {
    await sql`
      insert into reply (ticket_number, by_staff, staff_id, details, created_at)
      values (${ticket_number}, ${by === 'staff'}, ${by === 'staff' ? staff_id : null}, ${text}, ${at(hours_ago)})`
  }
  if (ticket.closed) {
    await sql`
      update ticket set seen_reply_id = (select max(reply_id) from reply r where r.ticket_number = ticket.ticket_number)
      where ticket_number = ${ticket_number}`
  } else if (last?.by === 'staff') {
    await notify(sql, {
      customer_id,
      kind: 'reply',
      text: `The help desk answered “${ticket.subject}”.`,
      address: `/ticket/details/${ticket_number}`,
      about: `ticket ${ticket_number}`,
    })
  }
}
