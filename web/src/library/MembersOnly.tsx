import type { ReactNode } from 'react'
import { Invitation } from '../platform/Invitation.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import * as texts from './texts.ts'

type Props = { icon: ReactNode; title?: string; children: string }

/** Stands where a visitor would see something of their own. */
export function MembersOnly({ icon, title = texts.signInToSeeThis, children }: Props) {
  return (
    <EmptyState icon={icon} title={title} action={<Invitation />}>
      {children}
    </EmptyState>
  )
}
