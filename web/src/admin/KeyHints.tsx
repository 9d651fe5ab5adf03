import { Group, Kbd } from '@mantine/core'

export type KeyHint = { keys: readonly string[]; label: string }

/** What the keys of a table do, in one line: hints that do not fit are left out, not cut off. */
export const KeyHints = ({ hints }: { hints: readonly KeyHint[] }) => (
  <Group gap="8px 12px" h={20} miw={0} style={{ overflow: 'hidden' }}>
    {hints.map(({ keys, label }) => (
      <span key={label} style={{ whiteSpace: 'nowrap' }}>
        {keys.map((key) => (
          <Kbd key={key} size="xs" mr={2}>
            {key}
          </Kbd>
        ))}{' '}
        {label}
      </span>
    ))}
  </Group>
)
