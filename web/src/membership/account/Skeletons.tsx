import { SimpleGrid, Skeleton, Stack } from '@mantine/core'

const times = (count: number) => [...Array(count).keys()]

/** Placeholder fields in their real size: two per row, or in one column. */
export const FieldSkeleton = ({ count, column = false }: { count: number; column?: boolean }) => (
  <SimpleGrid cols={{ base: 1, sm: column ? 1 : 2 }} spacing="lg" {...(column && { maw: 380 })}>
    {times(count).map((n) => (
      <Stack key={n} gap={6}>
        <Skeleton w={90} h={16} />
        <Skeleton h={36} />
      </Stack>
    ))}
  </SimpleGrid>
)

/** Placeholder rows while a list loads. */
export const ListRowSkeleton = ({ count, height_px }: { count: number; height_px: number }) => (
  <Stack gap="sm">
    {times(count).map((n) => (
      <Skeleton key={n} h={height_px} />
    ))}
  </Stack>
)
