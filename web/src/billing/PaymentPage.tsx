import '../styles/mantine-layout.css'
import { Skeleton, Stack, Text } from '@mantine/core'
import { IconCrown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { Page } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import { Mantine } from '../ui/Mantine.tsx'
import css from './Billing.module.css'
import * as texts from './texts.ts'

type PageProps = {
  title: string
  /** Why visitors should sign in. */
  signInText: string
  children: ReactNode
}

/** The frame of a screen of the checkout. Visitors are asked to sign in. */
export function PaymentPage({ title, signInText, children }: PageProps) {
  const signedIn = useSession((session) => session.token !== null)
  return (
    <Mantine>
      <Page title={title}>
        {signedIn ? (
          children
        ) : (
          <MembersOnly icon={<IconCrown size={24} />} title={texts.signInToContinue}>
            {signInText}
          </MembersOnly>
        )}
      </Page>
    </Mantine>
  )
}

const FORM_WIDTH = 520

type PanelProps = {
  label: string
  title?: ReactNode
  /** At the width of a form that is alone on its screen. */
  isNarrow?: boolean
  children: ReactNode
}

/** A card with a form or an order. */
export const Panel = ({ label, title, isNarrow = false, children }: PanelProps) => (
  <Stack
    component="section"
    gap="lg"
    className={css.card ?? ''}
    {...(isNarrow && { maw: FORM_WIDTH })}
    aria-label={label}
  >
    {title && <PanelTitle>{title}</PanelTitle>}
    {children}
  </Stack>
)

export const PanelTitle = ({ children }: { children: ReactNode }) => (
  <Text component="h2" fz="xl" fw={680} lh={1.25} lts="-0.015em">
    {children}
  </Text>
)

/** A sentence in the colour of secondary text. */
export const Note = ({ isSmall = false, children }: { isSmall?: boolean; children: ReactNode }) => (
  <Text inherit c="var(--text-2)" {...(isSmall && { fz: 'sm' })}>
    {children}
  </Text>
)

/** In place of a panel while it loads. */
export const PanelSkeleton = ({ height }: { height: number }) => (
  <Skeleton height={height} maw={FORM_WIDTH} radius="lg" aria-busy />
)
