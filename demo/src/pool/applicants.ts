export type DemoApplicant = {
  email: string
  dj_name: string
  first_name: string
  last_name: string
  country: string
  /** A member they know, or ''. */
  referred_by: string
  /** A link to their work, or ''. */
  dj_website: string
  comment: string
  hours_ago: number
  /** Why it was declined; '' while it is pending. */
  reason: string
}

/** Applicants of the demo pool. Nobody signs in as them; their links lead nowhere on purpose. */
export const APPLICANTS: readonly DemoApplicant[] = [
  {
    email: 'marcelle@applicant.test',
    dj_name: 'Marcelle Turntable',
    first_name: 'Marcelle',
    last_name: 'Dubois',
    country: 'BE',
    referred_by: 'Madame Monitor',
    dj_website: '',
    comment: 'Thursday resident at a café in Ghent, all vinyl until last year. Monique and I often play back to back.',
    hours_ago: 52,
    reason: '',
  },
  {
    email: 'teo@applicant.test',
    dj_name: 'Teo Contreras',
    first_name: 'Teodoro',
    last_name: 'Contreras',
    country: 'MX',
    referred_by: '',
    dj_website: 'mixes.example/teo-contreras',
    comment: 'I play weddings and quinceañeras six nights a month. Clean versions with intros are what I need most.',
    hours_ago: 31,
    reason: '',
  },
  {
    email: 'fatou@applicant.test',
    dj_name: 'Fatou Sound System',
    first_name: 'Fatou',
    last_name: 'Sarr',
    country: 'SN',
    referred_by: '',
    dj_website: 'https://radio.example/shows/fatou-sound-system',
    comment: '',
    hours_ago: 9,
    reason: '',
  },
  {
    email: 'bpm@applicant.test',
    dj_name: 'DJ Nobody',
    first_name: 'Pat',
    last_name: 'Lee',
    country: 'US',
    referred_by: 'my friend Dave',
    dj_website: '',
    comment: 'just want the tracks',
    hours_ago: 3,
    reason: '',
  },
  {
    email: 'shop@applicant.test',
    dj_name: 'Cheap Followers 24',
    first_name: 'C',
    last_name: 'F',
    country: 'US',
    referred_by: '',
    dj_website: 'followers.example',
    comment: 'Best prices!!!',
    hours_ago: 80,
    reason: 'This pool is for working DJs, and we couldn’t find any of your gigs or mixes online.',
  },
]
