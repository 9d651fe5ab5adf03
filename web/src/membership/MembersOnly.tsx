import type { ReactNode } from 'react'
import { Invitation } from '../platform/Invitation.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import * as texts from './texts.ts'

type Props = { icon: ReactNode; title?: string; children: string }

/** Shown to visitors in place of a personal list. */
export function MembersOnly({ icon, title = texts.signInToSeeThisPage, children }: Props) {
  return (
    <EmptyState icon={icon} title={title} action={<Invitation />}>
      {children}
    </EmptyState>
  )
}
