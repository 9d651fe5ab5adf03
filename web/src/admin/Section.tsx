import { Card, Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** At the other end of the title: a count, a status, a button. */
  end?: ReactNode
  children: ReactNode
}

/** A card with its title. Most pages of the back office that are not tables are these, one below the other. */
export function Section({ title, end, children }: Props) {
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id}>
      <Group justify="space-between" gap="sm" mih={32} mb="sm">
        <Title order={2} id={id}>
          {title}
        </Title>
        {end}
      </Group>
      {children}
    </Card>
  )
}
