import { Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import css from './Account.module.css'

type Props = { title: string; description?: ReactNode; children: ReactNode }

/** A section of an account screen: title and description, then its content. */
export function AccountSection({ title, description, children }: Props) {
  const id = useId()
  return (
    <Stack component="section" gap="lg" className={css.section} aria-labelledby={id}>
      <Stack component="header" gap={6}>
        <Title order={2} id={id} fz="lg">
          {title}
        </Title>
        {description && (
          <Text component="div" inherit maw="62ch" c="var(--text-2)" style={{ textWrap: 'pretty' }}>
            {description}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  )
}
