import * as z from 'zod/mini'
import { agreement } from './billing.ts'
import { endpoint, id, nothing, page, pagination, person, search } from './endpoint.ts'
import { STAFF_ROLES } from './membership.ts'
import { APPLICATION_STATES } from './staff.ts'
import { SONG_STATES } from './uploaded-songs.ts'

/** Members, as staff see them. */

export const MEMBERS_PER_PAGE = 50
/** How the list is sorted; with a “-”, in descending order. */
export const MEMBER_SORTS = ['name', '-name', 'joined', '-joined'] as const
export const MEMBER_STATES = ['all', 'paid', 'unpaid', 'suspended', 'staff'] as const
export const NEWEST_LIMIT = 5

const group = z.object({ group_id: z.number(), name: z.string() })
const role = z.nullable(z.enum(STAFF_ROLES))

export const memberListItem = z.object({
  customer_id: z.number(),
  dj_name: z.string(),
  email: z.string(),
  group,
  payment_profile_status: z.enum(['paid', 'unpaid']),
  /** `deleted` members are only found by their number. */
  status: z.enum(['active', 'suspended', 'deleted']),
  /** State of the DJ application; null if none was sent. */
  application: z.nullable(z.enum(APPLICATION_STATES)),
  staff_role: role,
  /** The plan of the current subscription; null without one. */
  plan_name: z.nullable(z.string()),
  /** ISO 3166-1 alpha-2 code; '' if unknown. */
  country_id: z.string(),
  /** Null if no sign-in is stored; sign-ins are stored for 90 days. */
  last_seen_at: z.nullable(z.string()),
  created_at: z.string(),
})
export type ListedMember = z.output<typeof memberListItem>

export const getMembers = endpoint({
  path: 'staff/members.json',
  access: 'staff',
  roles: ['support', 'billing'],
  summary: 'List members by state, matching prefixes of DJ name and email address, or the ID.',
  input: z.object({
    state: z._default(z.enum(MEMBER_STATES), 'all'),
    search,
    sort: z._default(z.enum(MEMBER_SORTS), '-joined'),
    page,
  }),
  reply: z.object({
    members: z.array(memberListItem),
    counts: z.object({
      all: z.number(),
      paid: z.number(),
      unpaid: z.number(),
      suspended: z.number(),
      staff: z.number(),
    }),
    pagination,
  }),
})

export const note = z.object({
  staff_note_id: z.number(),
  /** `suspended` and `lifted` are added with the action; their text is the reason. */
  kind: z.enum(['note', 'suspended', 'lifted']),
  text: z.string(),
  by: z.nullable(person),
  at: z.string(),
})
export type StaffNote = z.output<typeof note>

const session = z.object({
  session_id: z.number(),
  device: z.string(),
  ip: z.string(),
  created_at: z.string(),
  seen_at: z.string(),
})

const memberDetails = z.extend(memberListItem, {
  /** First and last name; '' until given. */
  name: z.string(),
  telephone: z.string(),
  /** In one line; '' until given. */
  address: z.string(),
  profile_picture: z.nullable(z.string()),
  /** Bounces of emails to this address; null if there are none. */
  bounces: z.nullable(z.object({ hard: z.number(), soft: z.number(), detail: z.string(), last_at: z.string() })),
  has_two_factor: z.boolean(),
  has_password: z.boolean(),
  application: z.nullable(
    z.object({
      state: z.enum(APPLICATION_STATES),
      referred_by: z.string(),
      dj_website: z.string(),
      comment: z.string(),
      reason: z.string(),
      /** Visible to staff only. */
      note: z.string(),
      applied_at: z.string(),
      decided_at: z.nullable(z.string()),
      decided_by: z.nullable(z.string()),
    }),
  ),
})

export const getMember = endpoint({
  path: 'staff/member.json',
  access: 'staff',
  roles: ['support', 'billing'],
  summary: 'Get a member with all related data.',
  input: z.object({ customer_id: id('customer_id') }),
  reply: z.object({
    member: memberDetails,
    /** The open subscription, otherwise the last one that was paid for. */
    agreement: z.nullable(agreement),
    sessions: z.array(session),
    downloads: z.object({
      total: z.number(),
      /** In the last 30 days. */
      lately: z.number(),
      newest: z.array(
        z.object({
          download_id: z.number(),
          entity_id: z.number(),
          song_version_id: z.number(),
          title: z.string(),
          artist: z.string(),
          version_label: z.string(),
          at: z.string(),
          used: z.number(),
          limit: z.number(),
        }),
      ),
    }),
    tickets: z.object({
      open: z.number(),
      total: z.number(),
      newest: z.array(
        z.object({
          ticket_number: z.number(),
          subject: z.string(),
          status: z.enum(['open', 'close']),
          modified_at: z.string(),
        }),
      ),
    }),
    uploads: z.object({
      /** Files that do not belong to a song yet. */
      files: z.number(),
      songs: z.number(),
      newest: z.array(
        z.object({
          upload_song_id: z.number(),
          title: z.string(),
          artist: z.string(),
          status: z.enum(SONG_STATES),
          created_at: z.string(),
        }),
      ),
    }),
    notes: z.array(note),
    /** Staff actions, newest first. */
    audit_entries: z.array(z.object({ audit_id: z.number(), at: z.string(), action: z.string(), by: z.string() })),
    groups: z.array(group),
  }),
  errors: ['unknown_member'],
})

/** For every action: only admins can change members of staff. */
const MEMBER_ACTION_ERRORS = ['unknown_member', 'admin_required'] as const
const member = z.object({ member: memberListItem })
const customer_id = id('customer_id')

export const changeGroup = endpoint({
  path: 'staff/change-group.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Move a member to another group.',
  input: z.object({ customer_id, group_id: id('group_id') }),
  reply: member,
  errors: [...MEMBER_ACTION_ERRORS, 'unknown_group'],
})

const MAX_NOTE_LENGTH = 4000
const words = (requiredMessage: string) =>
  z
    .string(requiredMessage)
    .check(z.trim(), z.minLength(1, requiredMessage), z.maxLength(MAX_NOTE_LENGTH, 'Use at most 4,000 characters.'))

export const suspend = endpoint({
  path: 'staff/suspend-member.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Suspend a member. Ends all sessions and blocks sign-in. The reason is stored for staff.',
  input: z.object({ customer_id, reason: words('Enter a reason. Your colleagues will see it.') }),
  reply: member,
  errors: [...MEMBER_ACTION_ERRORS, 'cannot_suspend_self', 'last_admin', 'conflict'],
})

export const liftSuspension = endpoint({
  path: 'staff/lift-suspension.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Lift a suspension.',
  input: z.object({
    customer_id,
    reason: z._default(z.string().check(z.trim(), z.maxLength(MAX_NOTE_LENGTH, 'Use at most 4,000 characters.')), ''),
  }),
  reply: member,
  errors: [...MEMBER_ACTION_ERRORS, 'conflict'],
})

export const signOutEverywhere = endpoint({
  path: 'staff/sign-out-member.json',
  access: 'staff',
  roles: ['support'],
  summary: 'End all sessions of a member. The caller’s own current session is kept.',
  input: z.object({ customer_id }),
  reply: z.object({ ended: z.number() }),
  errors: MEMBER_ACTION_ERRORS,
})

export const changeRole = endpoint({
  path: 'staff/change-role.json',
  access: 'staff',
  roles: [],
  confirmed: true,
  summary: 'Grant, change or remove (null) a staff role. Removing a role ends the member’s sessions.',
  input: z.object({ customer_id, staff_role: role }),
  reply: member,
  errors: [...MEMBER_ACTION_ERRORS, 'last_admin', 'member_suspended', 'confirm_identity'],
})

export const viewAs = endpoint({
  path: 'staff/view-as-member.json',
  access: 'staff',
  roles: ['support'],
  confirmed: true,
  summary: 'Start a read-only session that shows the site as a member sees it.',
  input: z.object({ customer_id }),
  reply: z.object({ token: z.string(), minutes: z.number() }),
  errors: [...MEMBER_ACTION_ERRORS, 'member_suspended', 'cannot_view_as_staff', 'confirm_identity'],
})

export const endView = endpoint({
  path: 'staff/end-view.json',
  access: 'staff',
  roles: ['support'],
  summary: 'End all of the caller’s view-as-member sessions.',
  input: nothing,
  reply: nothing,
})

export const writeNote = endpoint({
  path: 'staff/note-member.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Add a note to a member. Notes are included in the member’s data export.',
  input: z.object({ customer_id, text: words('Enter a note.') }),
  reply: z.object({ notes: z.array(note) }),
  errors: ['unknown_member'],
})

export const removeNote = endpoint({
  path: 'staff/remove-member-note.json',
  access: 'staff',
  roles: ['support'],
  summary: 'Delete a note. Staff can delete their own notes, admins all notes. Suspension notes can’t be deleted.',
  input: z.object({ staff_note_id: id('staff_note_id') }),
  reply: nothing,
  errors: ['unknown_note', 'admin_required'],
})

/** The checks before a download, in order. */
export const DOWNLOAD_STEPS = [
  'account',
  'application',
  'session',
  'group',
  'payment',
  'song',
  'file',
  'release',
  'limit',
] as const

const step = z.object({
  step: z.enum(DOWNLOAD_STEPS),
  ok: z.boolean(),
  /** The error code of this check; null if it passes. */
  code: z.nullable(z.string()),
  /** One sentence, for staff. */
  sentence: z.string(),
})
export type DownloadStep = z.output<typeof step>

export const whyNoDownload = endpoint({
  path: 'staff/why-no-download.json',
  access: 'staff',
  roles: ['support', 'billing'],
  summary: 'Explain step by step whether a member can download. The last three checks apply to a specific version.',
  input: z.object({ customer_id, song_version_id: z.optional(id('song_version_id')) }),
  reply: z.object({
    steps: z.array(step),
    version: z.nullable(
      z.object({ song_version_id: z.number(), title: z.string(), artist: z.string(), version_label: z.string() }),
    ),
  }),
  errors: ['unknown_member', 'unknown_version'],
})
