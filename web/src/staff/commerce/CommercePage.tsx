import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StaffPage } from '../StaffPage.tsx'
import css from './CommercePage.module.css'

const SCREENS = [
  { to: '/staff/payments', text: 'Payments' },
  { to: '/staff/subscriptions', text: 'Subscriptions' },
  { to: '/staff/invoices', text: 'Invoices' },
  { to: '/staff/books', text: 'Reports' },
  { to: '/staff/plans', text: 'Plans' },
  { to: '/staff/coupons', text: 'Coupons' },
] as const

type Props = { title: string; children: ReactNode }

/** The frame of a screen about money, with the others beside it. */
export const CommercePage = ({ title, children }: Props) => (
  <StaffPage title={title} forRole="billing">
    <nav className={css.screens} aria-label="Sales">
      {SCREENS.map(({ to, text }) => (
        <Link key={to} to={to} className={css.screen}>
          {text}
        </Link>
      ))}
    </nav>
    {children}
  </StaffPage>
)
