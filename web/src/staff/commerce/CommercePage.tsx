import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StaffPage } from '../StaffPage.tsx'
import css from './CommercePage.module.css'
import * as texts from './texts.ts'

const SCREENS = [
  { to: '/staff/payments', text: texts.payments },
  { to: '/staff/subscriptions', text: texts.subscriptions },
  { to: '/staff/invoices', text: texts.invoices },
  { to: '/staff/books', text: texts.reports },
  { to: '/staff/plans', text: texts.plans },
  { to: '/staff/coupons', text: texts.coupons },
] as const

type Props = { title: string; children: ReactNode }

/** The frame of a commerce screen, with links to the others. */
export const CommercePage = ({ title, children }: Props) => (
  <StaffPage title={title} forRole="billing">
    <nav className={css.screens} aria-label={texts.sales}>
      {SCREENS.map(({ to, text }) => (
        <Link key={to} to={to} className={css.screen}>
          {text}
        </Link>
      ))}
    </nav>
    {children}
  </StaffPage>
)
