import '../styles/mantine-layout.css'
import { Group, Text, Title } from '@mantine/core'
import { DIG_KEYS } from '../digging/digKeys.ts'
import { KEYS } from '../player/shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import * as texts from './texts.ts'

/** The dialog that lists the keyboard shortcuts. */
export const Keys = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={texts.keyboardShortcuts} onClose={onClose}>
    <KeyList keys={KEYS} />
    <Title order={3} fz="md" mt="lg" mb="xs">
      {texts.whileDigging}
    </Title>
    <KeyList keys={DIG_KEYS} />
  </Dialog>
)

const KeyList = ({ keys }: { keys: typeof KEYS }) => (
  <dl style={{ margin: 0 }}>
    {keys.map(({ keys, description }, at) => (
      <Group key={keys} gap="md" wrap="nowrap" py={6} style={{ borderTop: at > 0 ? '1px solid var(--line)' : 0 }}>
        <Text component="dt" flex="none" w={148} fz="sm" fw={560} lh={1.4}>
          <kbd style={{ font: 'inherit' }}>{keys}</kbd>
        </Text>
        <Text component="dd" m={0} lh={1.4} c="var(--text-2)">
          {description}
        </Text>
      </Group>
    ))}
  </dl>
)
