/** Paths of the pages that show the subjects of audit log entries. */
const PLACES: Record<string, (id: string) => string> = {
  customer: (id) => `/staff/members/${id}`,
  ticket: (id) => `/staff/tickets/${id}`,
  upload: (id) => `/staff/uploads?open=${id}`,
  song: (id) => `/staff/songs/${id}`,
  announcement: (id) => `/staff/announcements?open=${id}`,
  product: (id) => `/staff/merchandise?open=${id}`,
  spotlight: (id) => `/staff/curation?open=${id}`,
  top20: (id) => `/staff/curation?view=top20&open=${id}`,
  curated_genre: () => '/staff/curation?view=genres',
  plan: (id) => `/staff/plans?open=${id}`,
  coupon: () => '/staff/coupons',
  promotion: (id) => `/staff/coupons?promotion=${id}`,
  subscription: (id) => `/staff/subscriptions/${id}`,
  genre: () => '/staff/genres',
  import: (id) => `/staff/import?run=${id}`,
  mail: () => '/staff/outgoing-mail',
  job: () => '/staff/jobs',
  faq: () => '/staff/help-articles',
}

/** The path for a subject such as `ticket 1001`; undefined when the subject has no page. */
export function placeOf(subject: string): string | undefined {
  if (subject.startsWith('settings ')) return '/staff/settings'
  const [, kind = '', id = ''] = /^(\w+) (\d{1,15})$/.exec(subject) ?? []
  return Object.hasOwn(PLACES, kind) ? PLACES[kind]?.(id) : undefined
}
