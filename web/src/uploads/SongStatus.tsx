import type { uploadedSongs } from '@dubplate/contract'
import { Badge, Group } from '@mantine/core'
import { STATE_NAMES, statusExplanation } from './songDisplay.ts'

const STATE_COLOURS: Record<uploadedSongs.SongState, string> = {
  draft: 'var(--text)',
  analysing: 'var(--warn)',
  in_review: 'var(--warn)',
  published: 'var(--ok)',
  declined: 'var(--danger)',
  expired: 'var(--text)',
}

export const StateMark = ({ status }: { status: uploadedSongs.SongState }) => (
  <Badge variant="light" color={STATE_COLOURS[status]} tt="none" fz="xs" fw={560} flex="none">
    {STATE_NAMES[status]}
  </Badge>
)

/** The state of a song, and the reason for it. */
export const SongStatus = ({ song }: { song: Parameters<typeof statusExplanation>[0] }) => (
  <Group gap={10} fz="sm" c="var(--text-2)" style={{ overflowWrap: 'anywhere' }}>
    <StateMark status={song.status} />
    <span>{statusExplanation(song)}</span>
  </Group>
)
