import { Card, DataList, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  /** At the end of the line of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A titled part of a page of the back office. */
export function PageSection({ title, actions, children }: Props) {
  const id = useId()
  return (
    <Card component="section" aria-labelledby={id}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Card>
  )
}

/** An explanation within a section. */
export const Note = ({ children }: { children: ReactNode }) => (
  <Text fz="sm" c="dimmed" maw="72ch">
    {children}
  </Text>
)

/** An entry of a `DataList`. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <DataList.Item>
    <DataList.ItemLabel>{label}</DataList.ItemLabel>
    <DataList.ItemValue>{children}</DataList.ItemValue>
  </DataList.Item>
)
