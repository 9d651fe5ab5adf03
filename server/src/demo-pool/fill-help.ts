import { notify } from '../notices/notifications.ts'
import type { Sql } from '../platform/db.ts'
import { type DemoTicket, TICKETS } from './tickets.ts'

/** Common questions at the demo's pool. The answers are HTML, as the editor for staff writes it. */
const FAQS: { question: string; answer: string }[] = [
  {
    question: 'How many times can I download a song?',
    answer:
      '<p>You can download each version twice. If the tags of a song are corrected later, you get one extra download of each version for free.</p>',
  },
  {
    question: 'My download was interrupted. Did I lose it?',
    answer:
      '<p>No. Start it again within an hour and it resumes without counting twice. You can find all your downloads in <a href="/download-rescue">Download Rescue</a>.</p>',
  },
  {
    question: 'Which file formats do you offer?',
    answer:
      '<p>The format supplied by the label: MP3 at 320 kbit/s, M4A, OGG, Opus, WAV, FLAC or AIFF. BPM, key and artwork are written to the tags.</p>',
  },
  {
    question: 'What do Clean, Dirty and Intro mean?',
    answer:
      '<ul><li><b>Clean</b>: safe for radio and daytime sets.</li><li><b>Dirty</b>: the original lyrics.</li><li><b>Intro</b>: starts with at least sixteen bars of beats to mix in.</li></ul>',
  },
  {
    question: 'How do I switch to Camelot or Open Key?',
    answer: '<p>Go to <a href="/account/display">Display</a> in your account. The change applies to all lists.</p>',
  },
  {
    question: 'Can I cancel at any time?',
    answer:
      '<p>Yes, under <a href="/account/manage-subscription">Subscription</a>. You keep access until the end of the paid period and won’t be charged again.</p>',
  },
  {
    question: 'Why was my DJ application declined?',
    answer:
      '<p>The reason is in our email. In most cases, a link to your mixes or your next gig was missing. If you think this is a mistake, <a href="/contact">contact us</a>.</p>',
  },
  {
    question: 'How do I upload my own music?',
    answer:
      '<p>Go to <a href="/uploads/index">Uploads</a>. We analyse your files right away and our team reviews each song. Published songs expire after 90 days; you can renew them as often as you like.</p>',
  },
]

/** Replies that the demo's staff send often. */
const SAVED_REPLIES: { title: string; answer: string; used: number }[] = [
  {
    title: 'Interrupted download',
    answer:
      '<p>Hi {dj_name},</p><p>Don’t worry, nothing is lost. You can find all your downloads in <a href="/download-rescue">Download Rescue</a>, and downloading them again doesn’t count.</p><p>{staff_name}, {pool_name}</p>',
    used: 14,
  },
  {
    title: 'Upload review times',
    answer:
      '<p>Hi {dj_name},</p><p>We review uploads within two working days, Friday releases first. We’ll email you our decision.</p><p>{staff_name}, {pool_name}</p>',
    used: 6,
  },
]

type TicketMembers = { crowd: readonly number[]; dj: number; label: number; staff: number }

/** Adds the demo's FAQs, saved replies and tickets, the oldest ticket first. */
export async function fillHelp(sql: Sql, members: TicketMembers, now: Date): Promise<void> {
  await sql`insert into faq ${sql(FAQS.map((faq, n) => ({ ...faq, position: n + 1 })))}`
  await sql`insert into saved_reply ${sql(SAVED_REPLIES)}`
  for (const ticket of TICKETS.toSorted((a, b) => b.hours_ago - a.hours_ago)) {
    const customer_id = typeof ticket.from === 'number' ? members.crowd[ticket.from] : members[ticket.from]
    if (customer_id) await addTicket(sql, { customer_id, staff_id: members.staff, now }, ticket)
  }
}

type TicketOptions = { customer_id: number; staff_id: number; now: Date }

async function addTicket(sql: Sql, { customer_id, staff_id, now }: TicketOptions, ticket: DemoTicket): Promise<void> {
  const at = (hoursAgo: number) => new Date(now.getTime() - hoursAgo * 3_600_000)
  const last = ticket.replies.at(-1)
  const changed = at(last?.hours_ago ?? ticket.hours_ago)
  const firstReply = ticket.replies.find(({ by }) => by === 'staff')
  const [added] = await sql<{ ticket_number: number }[]>`
    insert into ticket (customer_id, department_id, priority_id, subject, details, status, awaiting_reply_from, waiting_since, assigned_to,
      created_at, modified_at, closed_at, first_reply_at)
    select ${customer_id}, department_id, priority_id, ${ticket.subject}, ${ticket.details},
      ${ticket.closed ? 'close' : 'open'}, ${last?.by === 'staff' ? 'customer' : 'staff'}, ${changed},
      ${last ? staff_id : null}, ${at(ticket.hours_ago)}, ${changed}, ${ticket.closed ? changed : null},
      ${firstReply ? at(firstReply.hours_ago) : null}
    from department d, priority p where d.name = ${ticket.department} and p.name = ${ticket.priority}
    returning ticket_number`
  if (!added) throw new Error(`Department ${ticket.department} or priority ${ticket.priority} not found`)
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
      text: `You have a reply to “${ticket.subject}”.`,
      address: `/ticket/details/${ticket_number}`,
      about: `ticket ${ticket_number}`,
    })
  }
}
