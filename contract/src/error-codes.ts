import type { Endpoint } from './endpoint.ts'

/** Codes any call may fail with: the request could not be read, or the server could not handle it at the moment. */
const ANY_CALL = [
  'malformed',
  'unknown_store',
  'wrong_type',
  'too_large',
  'rate_limited',
  'changed_meanwhile',
  'file_unavailable',
  'disk_full',
  'store_unavailable',
  'temporarily_unavailable',
  'internal_error',
]

/** Codes that calls with this access may fail with before they run. */
const BY_ACCESS: Record<Endpoint['access'], string[]> = {
  public: [],
  browse: ['not_signed_in', 'session_ended', 'not_allowed'],
  applicant: ['not_signed_in', 'session_ended'],
  customer: ['not_signed_in', 'session_ended', 'not_allowed'],
  member: ['not_signed_in', 'session_ended', 'not_allowed'],
  downloader: [
    ...['not_signed_in', 'session_ended', 'not_allowed', 'two_step_needed'],
    ...['not_a_downloading_member', 'subscription_required'],
  ],
  staff: ['no_such_call', 'session_ended', 'not_your_role', 'two_step_needed'],
}

/** Staff who view the pool as a member may read only, whichever call they make with that session. */
const VIEWERS = ['only_looking']

/** Every code a call may fail with: its own and those that follow from its access. */
export function errorCodesOf(endpoint: Endpoint): Set<string> {
  return new Set([
    ...endpoint.refusals,
    ...ANY_CALL,
    ...VIEWERS,
    ...BY_ACCESS[endpoint.access],
    ...(endpoint.confirmed ? ['confirm_identity'] : []),
    ...(endpoint.section ? ['section_hidden'] : []),
  ])
}
