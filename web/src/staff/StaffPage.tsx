import { type membership, type ReplyOf, staff } from '@dubplate/contract'
import { IconLock } from '@tabler/icons-react'
import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useProfile } from '../membership/useProfile.ts'
import { openDialog } from '../platform/address.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { count } from '../platform/format.ts'
import { format, rich } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { NotFound } from '../site/NotFound.tsx'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { Page } from '../ui/Page.tsx'
import { ConfirmIdentity } from './ConfirmIdentity.tsx'
import css from './StaffPage.module.css'
import * as texts from './texts.ts'

type Role = 'support' | 'curator' | 'billing' | 'admin'

type Props = {
  title: string
  /** Who may see it, besides admins. */
  forRole: Role | readonly Role[]
  /** Its children render the page, because it is a member's screen. */
  drawsPage?: boolean
  children: ReactNode
}

/** The frame of a back-office screen. Everyone who is not staff gets the “not found” page. */
export function StaffPage(props: Props) {
  const signedIn = useSession((session) => session.token !== null)
  return (
    <>
      {signedIn ? <OfMember {...props} /> : <SignInFirst title={props.title} />}
      <ConfirmIdentity />
    </>
  )
}

function OfMember({ title, forRole, drawsPage = false, children }: Props) {
  const { profile, error, retry } = useProfile()
  if (!profile)
    return <Page title={title}>{error && <ErrorState error={error} subject={texts.yourAccount} retry={retry} />}</Page>
  if (!profile.staff_role) return <NotFound />
  const isTheirs = isOf(profile.staff_role, forRole)
  if (drawsPage && isTheirs && !profile.two_factor_required) return children
  return (
    <Page title={title}>
      <Rooms role={profile.staff_role} />
      <KeepFocus>{profile.two_factor_required ? <TwoStepFirst /> : isTheirs ? children : <AnotherRole />}</KeepFocus>
      {!profile.two_factor_required && <ProgramVersion />}
    </Page>
  )
}

type StaffRole = NonNullable<membership.Profile['staff_role']>

const isOf = (role: StaffRole, wanted: Role | readonly Role[]) => role === 'admin' || [wanted].flat().includes(role)

type Desk = ReplyOf<typeof staff.getDashboard>

type Room = {
  to: LinkProps['to']
  text: string
  forRole: Role | readonly Role[]
  /** Which dashboard count is shown next to it. */
  counts?: Exclude<keyof Desk, 'program'>
  /** Its screens that have paths of their own. */
  within?: readonly string[]
}

const COMMERCE = ['payments', 'subscriptions', 'invoices', 'books', 'plans', 'coupons']

/** The screens of the back office, in their order. */
const ROOMS: Room[] = [
  { to: '/staff', text: texts.dashboard, forRole: ['support', 'curator', 'billing'] },
  { to: '/staff/applications', text: texts.applications, forRole: 'support', counts: 'applications_pending' },
  { to: '/staff/tickets', text: texts.tickets, forRole: 'support', counts: 'tickets_waiting' },
  { to: '/staff/members', text: texts.members, forRole: ['support', 'billing'] },
  { to: '/staff/faq', text: texts.helpArticles, forRole: 'support' },
  { to: '/staff/answers', text: texts.savedReplies, forRole: 'support' },
  { to: '/staff/uploads', text: texts.uploadsToReview, forRole: 'curator', counts: 'uploads_waiting' },
  { to: '/staff/songs', text: texts.songs, forRole: 'curator' },
  { to: '/staff/payments', text: texts.sales, forRole: 'billing', counts: 'transfers_waiting', within: COMMERCE },
  { to: '/staff/programming', text: texts.curation, forRole: 'curator' },
  { to: '/staff/genres', text: texts.genres, forRole: 'curator' },
  { to: '/staff/import', text: texts.importLabel, forRole: 'curator' },
  { to: '/staff/announcements', text: texts.announcements, forRole: ['curator', 'support'] },
  { to: '/staff/merchandise', text: texts.merchandise, forRole: 'curator' },
  { to: '/staff/pages', text: texts.pages, forRole: 'admin' },
  { to: '/staff/settings', text: texts.settings, forRole: 'admin' },
  { to: '/staff/outgoing-mail', text: texts.email, forRole: 'admin', counts: 'mail_failed' },
  { to: '/staff/jobs', text: texts.jobs, forRole: 'admin' },
  { to: '/staff/storage', text: texts.storageAndBackups, forRole: 'admin' },
  { to: '/staff/audit', text: texts.auditLog, forRole: 'admin' },
]

/**
 * The screens of a role, with the number of items that need attention in each. The bar scrolls sideways when it does
 * not fit.
 */
function Rooms({ role }: { role: StaffRole }) {
  const { data } = useApiQuery(staff.getDashboard, {})
  const line = useRef<HTMLElement>(null)
  const screen = useLocation({ select: ({ pathname }) => pathname.split('/')[2] ?? '' })
  // Scrolls the current screen's name into view, so that it shows there are more on either side. Runs again when counts
  // have widened the bar.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const own = line.current
    const here = own?.querySelector<HTMLElement>('[aria-current]')
    if (own && here) own.scrollLeft = here.offsetLeft - (own.clientWidth - here.offsetWidth) / 2
  }, [data])
  return (
    <nav ref={line} className={css.rooms} aria-label={texts.backOffice}>
      {ROOMS.filter(({ forRole }) => isOf(role, forRole)).map(({ to, text, counts, within }) => (
        <Link
          key={to}
          to={to}
          className={css.room}
          activeOptions={{ exact: to === '/staff', includeSearch: false }}
          {...(within?.includes(screen) ? { 'aria-current': 'page' } : {})}
        >
          {text}
          {counts && <Waiting n={data?.[counts]} isFailed={counts === 'mail_failed'} />}
        </Link>
      ))}
    </nav>
  )
}

/** The running version, needed first for a bug report or an upgrade. */
function ProgramVersion() {
  const { data } = useApiQuery(staff.getDashboard, {})
  if (!data) return null
  const { version, commit } = data.program
  return (
    <p className={css.version}>
      {format(texts.dubplate, { version })}
      {commit && <code>{commit}</code>}
    </p>
  )
}

const Waiting = ({ n = 0, isFailed }: { n?: number | undefined; isFailed: boolean }) =>
  n > 0 && (
    <b className="num" data-trouble={isFailed || undefined}>
      {rich(isFailed ? texts.failedCount : texts.pendingCount, {
        n: count(n),
        sr: (inside) => <span className="sr">{inside}</span>,
      })}
    </b>
  )

function SignInFirst({ title }: { title: string }) {
  const signIn = (
    <Button variant="primary" onClick={() => openDialog('sign-in')}>
      {texts.signIn}
    </Button>
  )
  return (
    <Page title={title}>
      <EmptyState icon={<IconLock size={24} />} title={texts.staffOnly} action={signIn}>
        {texts.signInWithAStaff}
      </EmptyState>
    </Page>
  )
}

const TwoStepFirst = () => (
  <EmptyState
    icon={<IconLock size={24} />}
    title={texts.twoFactorAuthenticationRequired}
    action={
      <Link to="/account/security" className={button.button} data-look="primary">
        {texts.turnOn}
      </Link>
    }
  >
    {texts.thisSiteRequiresTwoFactor}
  </EmptyState>
)

const AnotherRole = () => (
  <EmptyState icon={<IconLock size={24} />} title={texts.noAccess}>
    {texts.yourRoleDoesntIncludeThis}
  </EmptyState>
)
